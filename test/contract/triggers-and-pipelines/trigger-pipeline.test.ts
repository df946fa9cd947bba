import { describe, expect, test } from "bun:test";
import { ciJobs, digestOf, pipelines } from "../../../src/modules/pipelines/index.ts";
import { triggers } from "../../../src/modules/triggers/index.ts";
import { makePipeline, putCiFile } from "../../support/pipelines.ts";
import { putTrigger } from "../../support/triggers.ts";
import { type CallOptions, rootToken, startWorld } from "../../support/world.ts";
import { addMember } from "../groups-and-projects/setting.ts";
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

/** A running job of ines in a project, straight in the store, with its token. */
async function runningJob(projectId: number, status: "running" | "success" = "running") {
  const { id } = await makePipeline(world, projectId, {}, ines.token);
  const documents = world.store.of(ciJobs);
  const job = documents.get([...documents.by.pipeline_id.find(id)][0] as number);
  if (job === undefined) throw new Error("no job");
  const token = `glcbt-${job.id}`;
  world.store.transact((tx) => tx.update(ciJobs, { ...job, status, token_digest: digestOf(token) }));
  return { token, pipelineId: id as number, jobId: job.id };
}

const base = (text: string) => ({ message: { base: [text] } });
const missing = { message: "404 Not Found" };

describe("triggering a pipeline", () => {
  test("makes one for the token's owner, and notes the use", async () => {
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

  test("says what is wrong with its parameters", async () => {
    const { token, run } = await project();
    const errors = async (json: object) => {
      const { status, body } = await run({ json });
      expect(status).toBe(400);
      return body.error ?? body.message;
    };
    expect(await errors({})).toBe("ref is missing, token is missing");
    expect(await errors({ token })).toBe("ref is missing");
    expect(await errors({ token, ref: "  " })).toBe("ref is empty");
    expect(await errors({ ref: "main" })).toBe("token is missing");
    expect(await errors({ ref: "main", token, variables: "x" })).toBe("variables is invalid");
    for (const value of [["x"], { b: "x" }, 1, true, null]) {
      expect(await errors({ ref: "main", token, variables: { A: value } })).toBe(
        "variables needs to be a map of key-valued strings",
      );
    }
  });

  test("is not for the webhook of a pipeline, whatever else is wrong", async () => {
    const { run } = await project();
    const headers = { "X-Gitlab-Event": "Pipeline Hook" };
    const { status, body } = await run(
      { json: { ref: "x", token: "x" }, headers },
      "/projects/999999/trigger/pipeline",
    );
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  });

  test("tells nothing to those without a token of the project", async () => {
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
    const text = "jobs:job config should implement the script:, run:, or trigger: keyword";
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
    const { token, pipelineId, jobId } = await runningJob(upstream.id);
    const { status, body } = await downstream.run({ json: { ref: "main", token } });
    expect([status, body.source, body.user.username]).toEqual([201, "pipeline", "ines"]);
    const path = `/projects/${upstream.id}/pipelines/${pipelineId}/bridges`;
    const { body: bridges } = await world.get(path);
    expect(bridges).toMatchObject([{ id: jobId, downstream_pipeline: { id: body.id, project_id: downstream.id } }]);
    const reader = await world.user();
    addMember(world, { id: upstream.id }, reader, "reporter", "project");
    expect((await world.call("GET", path, { token: reader.token })).body).toMatchObject([
      { downstream_pipeline: null },
    ]);
  });

  test("that is over is 401, and where its user may not read, 404", async () => {
    const { id, run } = await project();
    const done = await runningJob(id, "success");
    const over = await run({ json: { ref: "main", token: done.token } });
    expect([over.status, over.body]).toEqual([401, { message: "Job is not running" }]);
    const hidden = await makeProject(world);
    const { token } = await runningJob(id);
    const answer = await run({ json: { ref: "main", token } }, `/projects/${hidden.id}/trigger/pipeline`);
    expect([answer.status, answer.body]).toEqual([404, missing]);
  });
});
