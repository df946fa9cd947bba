import { describe, expect, spyOn, test } from "bun:test";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { triggers } from "../../../../src/modules/ci/triggers/records.ts";
import { putProjectLink } from "../../../support/ci/job-token-links.ts";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { alterJob, putRunningJob } from "../../../support/ci/running-job.ts";
import { putTrigger } from "../../../support/ci/triggers.ts";
import { type CallOptions, type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();
const ines = await world.user({ name: "Ines", username: "ines" });

async function project(ci = "job: {script: x}", attributes = {}) {
  const { id, path_with_namespace } = await makeProject(world, attributes);
  addMember(world, { id }, ines, "developer", "project");
  await putCiFile(world, id, ci);
  const trigger = putTrigger(world, id, ines.id);
  const run = (options: CallOptions, path = `/projects/${id}/trigger/pipeline`) => world.call("POST", path, options);
  const count = () => world.store.of(pipelines).by.project_id.find(id).size;
  const { token } = trigger;
  return { id: id as number, path: path_with_namespace as string, trigger, token, run, count };
}

const base = (text: string) => ({ message: { base: [text] } });
const missing = { message: "404 Not Found" };

describe("triggering a pipeline", () => {
  test("creates one for the token's owner, and records the use", async () => {
    const { id, trigger, token, run } = await project();
    world.clock.advance(1000);
    const { status, body } = await run({ json: { ref: "main", token, variables: { A: "1" } } });
    expect([status, body.status, body.source, body.user.username, body.before_sha]).toEqual([
      201,
      "created",
      "trigger",
      "ines",
      "0".repeat(40),
    ]);
    expect(world.store.of(triggers).get(trigger.id)?.last_used).toBe(world.clock.time());
    const { body: variables } = await world.get(`/projects/${id}/pipelines/${body.id}/variables`);
    expect(variables).toEqual([
      { variable_type: "env_var", key: "A", value: "1", raw: false },
      {
        variable_type: "file",
        key: "TRIGGER_PAYLOAD",
        value: JSON.stringify({ ref: "main", id: String(id), variables: { A: "1" } }),
        raw: false,
      },
    ]);
    expect((await world.get(`/projects/${id}/pipelines/${body.id}/bridges`)).body).toEqual([]);
  });

  test("passes all parameters on to its jobs, as a webhook has them, and no credentials", async () => {
    const { id, token, run } = await project();
    const json = { ref: "refs/heads/main", object_kind: "push", commits: [{ id: "a" }], private_token: rootToken };
    const { body } = await run({ json, query: { token, sudo: "root" } }, `/projects/${id}/ref/main/trigger/pipeline`);
    const { body: variables } = await world.get(`/projects/${id}/pipelines/${body.id}/variables`);
    expect(variables.map(({ key, value }: Json) => [key, JSON.parse(value)])).toEqual([
      ["TRIGGER_PAYLOAD", { ref: "main", id: String(id), variables: {}, object_kind: "push", commits: [{ id: "a" }] }],
    ]);
    const odd = await run({ json: { ref: "main", token, variables: { "A B": "1" } } });
    const text =
      "Failed to persist the pipeline: Validation failed: Variables key can contain only letters, digits and '_'.";
    expect([odd.status, odd.body]).toEqual([400, base(text)]);
    const twice = await run({ json: { ref: "main", token, variables: { TRIGGER_PAYLOAD: "1" } } });
    expect([twice.status, twice.body]).toEqual([400, base("Duplicate variable name: TRIGGER_PAYLOAD")]);
  });

  test("takes its parameters in every encoding, and the ref in the path", async () => {
    const { id, path, token, run } = await project("job: {script: x, rules: [{if: '$A == \"1\"'}]}");
    const multipart = new FormData();
    multipart.set("variables[A]", "1");
    const branches = `/projects/${id}/repository/branches`;
    await world.call("POST", branches, { token: rootToken, json: { branch: "a/b.c", ref: "main" } });
    const answers = [
      await run({ query: `ref=main&token=${token}&variables[A]=1` }),
      await run({ form: { ref: "main", token, "variables[A]": "1" } }),
      await run({ json: { ref: "refs/heads/main", token, variables: { A: "1" } } }),
      await run({ query: { ref: "main", token }, multipart }),
      await run({ json: { ref: "main", token, variables: { A: "1" } }, token: rootToken }),
      await run(
        { json: { ref: "main", token, variables: { A: "1" } } },
        `/projects/${encodeURIComponent(path)}/trigger/pipeline`,
      ),
    ];
    expect(answers.map(({ status, body }) => [status, body.ref])).toEqual(answers.map(() => [201, "main"]));
    const inPath = await run(
      { json: { ref: "main", token, variables: { A: "1" } } },
      `/projects/${id}/ref/a%2Fb.c/trigger/pipeline`,
    );
    expect([inPath.status, inPath.body.ref]).toEqual([201, "a/b.c"]);
    expect((await run({ json: { ref: "main", token }, token: "unknown" })).status).toBe(401);
  });

  test("reports errors in its parameters", async () => {
    const { token, run } = await project();
    const errors = async (json: object) => {
      const { status, body } = await run({ json });
      expect(status).toBe(400);
      return body.error ?? body.message;
    };
    expect(await errors({})).toBe("ref is missing, ref is empty, token is missing");
    expect(await errors({ token })).toBe("ref is missing, ref is empty");
    expect(await errors({ token, ref: "  " })).toBe("ref is empty");
    expect(await errors({ ref: "main" })).toBe("token is missing");
    expect(await errors({ ref: "main", token, variables: "x" })).toBe("variables is invalid");
    for (const value of [["x"], { b: "x" }, 1, true, null]) {
      expect(await errors({ ref: "main", token, variables: { A: value } })).toBe(
        "variables needs to be a map of key-valued strings",
      );
    }
  });

  test("has limits for the number and length of variables and other parameters", async () => {
    const { id, token, run, count } = await project();
    const before = count();
    const notSaved = (text: string) => [400, base(`Failed to persist the pipeline: Validation failed: ${text}`)];
    const answer = async (json: object) => {
      const { status, body } = await run({ query: { token }, json: { ref: "main", ...json } });
      return [status, status === 201 ? body.status : body];
    };
    const variables = (length: number, value = "x") =>
      Object.fromEntries(Array.from({ length }, (_, at) => [`V${at}`, value]));
    const [status, { error }] = await answer({ variables: variables(1001) });
    expect([status, error]).toEqual([400, "variables has too many values (maximum is 1000)"]);
    expect(await answer({ variables: variables(1, "x".repeat(10_001)) })).toEqual(
      notSaved("Variables value is too long (maximum is 10000 characters)"),
    );
    const rest = JSON.stringify({ ref: "main", id: String(id), variables: {}, more: "" }).length;
    expect(await answer({ more: "x".repeat(1_048_577 - rest) })).toEqual(
      notSaved("Variables value is too long (maximum is 1048576 characters)"),
    );
    expect(count()).toBe(before);
    expect(await answer({ variables: variables(1000) })).toEqual([201, "created"]);
    expect(await answer({ variables: variables(1, "x".repeat(10_000)) })).toEqual([201, "created"]);
    expect(await answer({ more: "x".repeat(1_048_576 - rest) })).toEqual([201, "created"]);
  });

  test("is refused for the webhook of a pipeline, before other errors", async () => {
    const { run } = await project();
    const headers = { "X-Gitlab-Event": "Pipeline Hook" };
    const { status, body } = await run(
      { json: { ref: "x", token: "x" }, headers },
      "/projects/999999/trigger/pipeline",
    );
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  });

  test("reveals nothing to callers without a token of the project", async () => {
    const { id, run, count } = await project();
    const other = await project();
    const expired = putTrigger(world, id, ines.id, { expires_at: world.clock.time() });
    const stranger = await world.user();
    const strangers = putTrigger(world, id, stranger.id);
    const blocked = await world.user();
    addMember(world, { id }, blocked, "developer", "project");
    const ofBlocked = putTrigger(world, id, blocked.id);
    world.alter(blocked.id, { state: "blocked" });
    const before = count();
    for (const token of ["unknown", other.token, expired.token, strangers.token, ofBlocked.token]) {
      const { status, body } = await run({ json: { ref: "none", token } });
      expect([status, body]).toEqual([404, missing]);
    }
    const { status, body } = await run(
      { json: { ref: "main", token: other.token } },
      "/projects/999999/trigger/pipeline",
    );
    expect([status, body, count()]).toEqual([404, missing, before]);
  });

  test("is refused in the page's order", async () => {
    const { id, token, run, count } = await project();
    const before = count();
    const refused = async (ref: string, text: string, given = token) => {
      const { status, body } = await run({ json: { ref, token: given, variables: { A: "1" } } });
      expect([status, body, count()]).toEqual([400, base(text), before]);
    };
    const change = (json: object) => world.call("PUT", `/projects/${id}`, { token: rootToken, json });
    const reporter = await world.user();
    addMember(world, { id }, reporter, "reporter", "project");
    const weak = putTrigger(world, id, reporter.id).token;
    await refused("none", "Reference not found");
    await change({ restrict_user_defined_variables: true });
    await refused("none", "Insufficient permissions to set pipeline variables");
    await refused("none", "Insufficient permissions to create a new pipeline", weak);
    await change({ builds_access_level: "disabled" });
    await refused("none", "Pipelines are disabled!", weak);
  });

  test("of an invalid file is 422, and a failed pipeline stays", async () => {
    const { id, token, run } = await project("job: {stage: test}");
    const text = "jobs job config should implement the script:, run:, or trigger: keyword (line 1, column 1)";
    const { status, body } = await run({ json: { ref: "main", token } });
    expect([status, body]).toEqual([422, base(text)]);
    const { body: list } = await world.get(`/projects/${id}/pipelines?source=trigger`);
    expect(list).toMatchObject([{ status: "failed" }]);
    expect((await world.get(`/projects/${id}/pipelines/${list[0].id}`)).body.yaml_errors).toBe(text);
  });
});

describe("with the token of a job", () => {
  test("the new pipeline is linked to the job's", async () => {
    const upstream = await project();
    const downstream = await project("all: {script: x, rules: [{if: '$CI_PIPELINE_SOURCE == \"pipeline\"'}]}");
    putProjectLink(world, downstream, upstream);
    const { token, pipeline, job } = putRunningJob(world, upstream.id, ines.id);
    const { status, body } = await downstream.run({ json: { ref: "main", token } });
    expect([status, body.source, body.user.username]).toEqual([201, "pipeline", "ines"]);
    const second = await downstream.run({ json: { ref: "main", token } });
    const path = `/projects/${upstream.id}/pipelines/${pipeline.id}/bridges`;
    const { body: bridges } = await world.get(path);
    expect(bridges).toMatchObject([
      { id: job.id, downstream_pipeline: { id: second.body.id } },
      { id: job.id, downstream_pipeline: { id: body.id, project_id: downstream.id, source: "pipeline" } },
    ]);
    const reader = await world.user();
    addMember(world, { id: upstream.id }, reader, "reporter", "project");
    expect((await world.call("GET", path, { token: reader.token })).body).toMatchObject([
      { id: job.id, downstream_pipeline: null },
      { id: job.id, downstream_pipeline: null },
    ]);
  });

  test("of a finished job is 401, and where its user may not read, 404", async () => {
    const { id, run } = await project();
    const done = putRunningJob(world, id, ines.id, { status: "success" });
    const over = await run({ json: { ref: "main", token: done.token } });
    expect([over.status, over.body]).toEqual([401, { message: "Job is not running" }]);
    const hidden = await makeProject(world);
    const { token } = putRunningJob(world, id, ines.id);
    const path = `/projects/${hidden.id}/trigger/pipeline`;
    for (const given of [token, done.token]) {
      const answer = await run({ json: { ref: "main", token: given } }, path);
      expect([answer.status, answer.body]).toEqual([404, missing]);
    }
  });

  test("of a project outside the allowlist is 404, running or not", async () => {
    const upstream = await project();
    const { id, run, count } = await project();
    const running = putRunningJob(world, upstream.id, ines.id);
    const done = putRunningJob(world, upstream.id, ines.id, { status: "success" });
    const before = count();
    for (const { token } of [running, done]) {
      const { status, body } = await run({ json: { ref: "none", token } });
      expect([status, body]).toEqual([404, missing]);
    }
    putProjectLink(world, { id }, upstream);
    expect((await run({ json: { ref: "none", token: running.token } })).body).toEqual(base("Reference not found"));
    expect((await run({ json: { ref: "none", token: done.token } })).body).toEqual({ message: "Job is not running" });
    expect(count()).toBe(before);
  });

  test("depends on its user's role, and is accepted without an allowlist", async () => {
    const upstream = await project();
    const reporter = await world.user();
    const { id, run } = await project();
    addMember(world, { id }, reporter, "reporter", "project");
    await world.call("PATCH", `/projects/${id}/job_token_scope`, { token: rootToken, json: { enabled: false } });
    const { token } = putRunningJob(world, upstream.id, reporter.id);
    const { status, body } = await run({ json: { ref: "main", token } });
    expect([status, body]).toEqual([400, base("Insufficient permissions to create a new pipeline")]);
    const developers = putRunningJob(world, upstream.id, ines.id).token;
    expect((await run({ json: { ref: "main", token: developers } })).status).toBe(201);
  });

  test("that ends while the repository is read creates nothing", async () => {
    const { id, run, count } = await project();
    const { token, job } = putRunningJob(world, id, ines.id);
    const before = count();
    const read = world.context.repositories.read.bind(world.context.repositories);
    const spy = spyOn(world.context.repositories, "read").mockImplementationOnce(async (place, work) => {
      const found = await read(place, work);
      alterJob(world, job, { status: "success" });
      return found;
    });
    const { status, body } = await run({ json: { ref: "main", token } });
    spy.mockRestore();
    expect([status, body, count()]).toEqual([401, { message: "Job is not running" }, before]);
  });
});

describe("ci_pipeline_variables_minimum_override_role", () => {
  const text = "Insufficient permissions to set pipeline variables";

  test("is the lowest role that may set variables, by a trigger or by the API", async () => {
    const { id, run } = await project();
    const people = { developer: ines, maintainer: await world.user(), owner: await world.user() } as const;
    addMember(world, { id }, people.maintainer, "maintainer", "project");
    addMember(world, { id }, people.owner, "owner", "project");
    const ranks = ["developer", "maintainer", "owner", "no_one_allowed"] as const;
    for (const [least, role] of ranks.entries()) {
      const json = { ci_pipeline_variables_minimum_override_role: role };
      const { body } = await world.call("PUT", `/projects/${id}`, { token: rootToken, json });
      expect(body).toMatchObject({ ...json, restrict_user_defined_variables: role !== "developer" });
      for (const [level, name] of (["developer", "maintainer", "owner"] as const).entries()) {
        const { token } = putTrigger(world, id, people[name].id);
        const variables = [{ key: "A", value: "1" }];
        const answers = [
          await run({ json: { ref: "main", token, variables: { A: "1" } } }),
          await world.call("POST", `/projects/${id}/pipeline`, {
            token: people[name].token,
            json: { ref: "main", variables },
          }),
        ];
        for (const { status, body } of answers) {
          expect([role, name, status === 201 ? 201 : body]).toEqual([role, name, level >= least ? 201 : base(text)]);
        }
        expect((await run({ json: { ref: "main", token } })).status).toBe(201);
      }
    }
    const { status, body } = await world.call("PUT", `/projects/${id}`, {
      token: rootToken,
      json: { ci_pipeline_variables_minimum_override_role: "guest" },
    });
    expect([status, body.error]).toEqual([
      400,
      "ci_pipeline_variables_minimum_override_role does not have a valid value",
    ]);
  });

  test("is given to owners, and taken from them, by owners alone", async () => {
    const { id } = await makeProject(world, {});
    const people = { maintainer: await world.user(), owner: await world.user() } as const;
    for (const name of ["maintainer", "owner"] as const) addMember(world, { id }, people[name], name, "project");
    const put = async (token: string, json: object) => {
      const { status, body } = await world.call("PUT", `/projects/${id}`, { token, json });
      return status === 200 ? 200 : [status, body];
    };
    const toRole = (role: string) => ({ ci_pipeline_variables_minimum_override_role: role });
    const text = "Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed";
    const other =
      "Changing the restrict_user_defined_variables or ci_pipeline_variables_minimum_override_role is not allowed";
    expect(await put(people.maintainer.token, toRole("no_one_allowed"))).toBe(200);
    expect(await put(people.maintainer.token, toRole("owner"))).toEqual([400, { message: text }]);
    for (const { token } of [people.owner, { token: rootToken }]) {
      expect(await put(token, toRole("maintainer"))).toBe(200);
      expect(await put(token, toRole("owner"))).toBe(200);
    }
    for (const json of [toRole("developer"), toRole("no_one_allowed"), { restrict_user_defined_variables: false }]) {
      expect(await put(people.maintainer.token, json)).toEqual([400, { message: other }]);
    }
    const unchanged = { ...toRole("owner"), restrict_user_defined_variables: true, description: "a text" };
    expect(await put(people.maintainer.token, unchanged)).toBe(200);
  });

  test("agrees with its older name", async () => {
    const { id } = await makeProject(world, { ci_pipeline_variables_minimum_override_role: "owner" });
    const role = async (json: object) => {
      const { body } = await world.call("PUT", `/projects/${id}`, { token: rootToken, json });
      return [body.ci_pipeline_variables_minimum_override_role, body.restrict_user_defined_variables];
    };
    expect(await role({ restrict_user_defined_variables: true })).toEqual(["owner", true]);
    expect(await role({ restrict_user_defined_variables: false })).toEqual(["developer", false]);
    expect(await role({ restrict_user_defined_variables: true })).toEqual(["maintainer", true]);
  });
});
