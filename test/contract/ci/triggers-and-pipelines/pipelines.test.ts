import { describe, expect, spyOn, test } from "bun:test";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { ciJobs } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { endJobs, makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);
const dev = await world.user({ name: "Dora Lindt", username: "dora" });
const guest = await world.user();
const threeStages = "a: {stage: build, script: a}\nb: {script: b}\nc: {stage: deploy, script: c}";

async function project(ci: string | null = threeStages, attributes = {}) {
  const made = await makeProject(world, attributes);
  addMember(world, made, dev, "developer", "project");
  addMember(world, made, guest, "guest", "project");
  if (ci !== null) await putCiFile(world, made.id, ci);
  const ask = (method: string, end: string, json?: object, token: string | undefined = dev.token) =>
    world.call(method, `/projects/${made.id}${end}`, json === undefined ? { token } : { token, json });
  const make = (json: object = {}) => makePipeline(world, made.id, json, dev.token);
  return { id: made.id as number, path: made.path_with_namespace as string, ask, make };
}

const base = (text: string) => ({ message: { base: [text] } });
const namesOf = (body: Json) => body.map(({ name, status }: Json) => `${name} ${status}`);

describe("creating a pipeline", () => {
  test("is refused when the caller loses the right while the repository is read", async () => {
    const { id, ask } = await project();
    const read = world.context.repositories.read.bind(world.context.repositories);
    const before = world.store.of(pipelines).size;
    const spy = spyOn(world.context.repositories, "read").mockImplementationOnce(async (place, work) => {
      const found = await read(place, work);
      addMember(world, { id }, dev, "reporter", "project");
      return found;
    });
    const { status, body } = await ask("POST", "/pipeline", { ref: "main" });
    spy.mockRestore();
    expect([status, body, world.store.of(pipelines).size]).toEqual([403, { message: "403 Forbidden" }, before]);
  });

  test("answers 201 with all fields; its first stage is pending at once", async () => {
    const { id, path, ask } = await project();
    const { status, body } = await ask("POST", "/pipeline", { ref: "main" });
    const head = (await world.get(`/projects/${id}/repository/commits/main`)).body;
    const { iid } = (await ask("GET", `/pipelines/${body.id}`)).body;
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      iid,
      project_id: id,
      sha: head.id,
      ref: "main",
      status: "created",
      source: "api",
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      web_url: `${world.origin}/${path}/-/pipelines/${body.id}`,
      name: null,
      before_sha: "0".repeat(40),
      tag: false,
      yaml_errors: null,
      user: {
        id: dev.id,
        username: "dora",
        name: "Dora Lindt",
        state: "active",
        locked: false,
        avatar_url: dev.record.avatar_url,
        web_url: `${world.origin}/dora`,
      },
      started_at: null,
      finished_at: null,
      committed_at: head.committed_date,
      duration: null,
      queued_duration: null,
      coverage: null,
      detailed_status: {
        icon: "status_created",
        text: "Created",
        label: "created",
        group: "created",
        tooltip: "created",
        has_details: true,
        details_path: `/${path}/-/pipelines/${body.id}`,
        illustration: null,
        favicon: "/assets/ci_favicons/favicon_status_created.png",
      },
    });
    await world.jobsDone();
    expect((await ask("GET", `/pipelines/${body.id}`)).body.status).toBe("pending");
    const jobs = await ask("GET", `/pipelines/${body.id}/jobs`);
    expect(namesOf(jobs.body)).toEqual(["c created", "b created", "a pending"]);
  });

  test("is refused with the page's messages, and stores nothing", async () => {
    const bare = await project();
    const before = [...world.store.of(pipelines).by.source.find("api")];
    const refused = async (made: typeof bare, ref: string, text: string) => {
      const { status, body } = await made.ask("POST", "/pipeline", { ref });
      expect([status, body]).toEqual([400, base(text)]);
    };
    expect((await bare.ask("POST", "/pipeline", {})).body.error).toBe("ref is missing, ref is empty");
    expect((await bare.ask("POST", "/pipeline", { ref: " " })).body.error).toBe("ref is empty");
    const names = Array.from({ length: 51 }, (_, at) => `j${at}`);
    const jobs = names.map((name) => `${name}: {stage: build, script: x}`).join("\n");
    const last = (count: number) => `last: {script: x, needs: [${names.slice(0, count).join(", ")}]}`;
    const wide = await project(`${jobs}\n${last(51)}`);
    const tooMany = "last: one job can only need 50 others, but you have listed 51.";
    await refused(wide, "main", `${tooMany} See needs keyword documentation for more details`);
    expect((await bare.ask("POST", "/pipeline", { ref: "main" }, guest.token)).status).toBe(403);
    await refused(bare, "none", "Reference not found");
    const { body: branch } = await bare.ask("GET", "/repository/branches/main");
    await refused(bare, branch.commit.id, "Reference not found");
    await bare.ask("POST", "/repository/branches", { branch: "both", ref: "main" });
    await bare.ask("POST", "/repository/tags", { tag_name: "both", ref: "main" });
    await refused(bare, "both", "Ref is ambiguous");
    const empty = await project(null);
    await filesOf(world, empty.id, dev.token).create("a.txt");
    await refused(empty, "main", "Missing CI config file");
    await refused(
      await project("workflow: {rules: [{when: never}]}\na: {script: x}"),
      "main",
      "Pipeline filtered out by workflow rules.",
    );
    await refused(
      await project("a: {script: x, rules: [{when: never}]}"),
      "main",
      "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.",
    );
    const edges = "a: {stage: .pre, script: x}\nb: {stage: .post, script: x}\nc: {script: x, rules: [{when: never}]}";
    await refused(
      await project(edges),
      "main",
      "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.",
    );
    await refused(
      await project('a: {script: x, variables: {A: "$B", B: "$A"}}'),
      "main",
      'a: circular variable reference detected: ["A", "B"]',
    );
    await refused(
      await project("a: {script: x, needs: [b]}\nb: {script: x, rules: [{when: never}]}"),
      "main",
      "'a' job needs 'b' job, but 'b' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.",
    );
    await refused(
      await project("a: {stage: test}"),
      "main",
      "jobs a config should implement the script:, run:, or trigger: keyword (line 1, column 1)",
    );
    const many = Array.from({ length: 1001 }, (_, at) => ({ key: `V${at}`, value: "x" }));
    expect((await bare.ask("POST", "/pipeline", { ref: "main", variables: many })).body.error).toBe(
      "variables has too many values (maximum is 1000)",
    );
    const long = [{ key: "V", value: "x".repeat(10_001) }];
    expect((await bare.ask("POST", "/pipeline", { ref: "main", variables: long })).status).toBe(400);
    const off = await project();
    await world.call("PUT", `/projects/${off.id}`, { token: rootToken, json: { builds_access_level: "disabled" } });
    await refused(off, "main", "Pipelines are disabled!");
    expect([...world.store.of(pipelines).by.source.find("api")]).toEqual(before);
  });

  test("takes a tag or a full ref, variables that rules see, and gets its own number in the project", async () => {
    const { ask, make } = await project("a: {script: x}\nb: {script: x, rules: [{if: '$FULL =~ /^y/'}]}");
    await ask("POST", "/repository/tags", { tag_name: "v1", ref: "main" });
    const first = await make({ ref: "refs/heads/main" });
    const tagged = await make({ ref: "v1", variables: [{ key: "FULL", value: "yes" }] });
    expect([first.ref, first.tag, tagged.ref, tagged.tag]).toEqual(["main", false, "v1", true]);
    expect(tagged.iid).toBe(first.iid + 1);
    expect(namesOf((await ask("GET", `/pipelines/${tagged.id}/jobs`)).body)).toEqual(["b pending", "a pending"]);
    const variables = await ask("GET", `/pipelines/${tagged.id}/variables`);
    expect(variables.body).toEqual([{ variable_type: "env_var", key: "FULL", value: "yes", raw: false }]);
    const other = await world.user();
    addMember(world, { id: first.project_id }, other, "developer", "project");
    expect((await ask("GET", `/pipelines/${tagged.id}/variables`, undefined, other.token)).status).toBe(403);
  });
});

describe("a commit to a ref with a CI file", () => {
  test("creates a push pipeline", async () => {
    const { id, ask } = await project(null);
    await putCiFile(world, id, threeStages, { message: "Add CI", token: dev.token });
    const { body } = await ask("GET", "/pipelines");
    expect(body).toMatchObject([{ source: "push", ref: "main" }]);
    expect((await ask("GET", `/pipelines/${body[0].id}`)).body.before_sha).toBe("0".repeat(40));
    const before = body[0].sha;
    await filesOf(world, id, dev.token).create("a.txt");
    const latest = (await ask("GET", "/pipelines/latest")).body;
    expect([latest.source, latest.before_sha]).toEqual(["push", before]);
  });

  test.each(["[skip ci]", "[ci skip]"])("with %s creates a skipped one, without jobs", async (mark) => {
    const { id, ask } = await project(null);
    await putCiFile(world, id, threeStages, { message: `Add CI ${mark}` });
    await world.jobsDone();
    const { body } = await ask("GET", "/pipelines");
    expect(body).toMatchObject([{ source: "push", status: "skipped" }]);
    expect((await ask("GET", `/pipelines/${body[0].id}/jobs`)).body).toEqual([]);
  });

  test("with an invalid file creates a failed one, and is accepted", async () => {
    const { id, ask } = await project(null);
    await putCiFile(world, id, "a: [", { message: "Add CI" });
    const { body } = await ask("GET", "/pipelines?yaml_errors=true");
    expect(body).toMatchObject([{ status: "failed" }]);
    const { yaml_errors } = (await ask("GET", `/pipelines/${body[0].id}`)).body;
    expect(yaml_errors).toContain("did not find expected node content while parsing a flow node at line 1 column 5");
    expect((await ask("GET", "/pipelines?yaml_errors=false")).body).toEqual([]);
  });

  test("with variables that name each other endlessly creates a failed one", async () => {
    const { id, ask } = await project(null);
    const chain = Array.from({ length: 3000 }, (_, at) => `  V${at + 1}: "$V${at}$V${at}"`).join("\n");
    await putCiFile(world, id, `variables:\n  V0: x\n${chain}\na: {script: x, rules: [{if: $V3000}]}`, {
      message: "Add CI",
    });
    const { body } = await ask("GET", "/pipelines?yaml_errors=true");
    expect((await ask("GET", `/pipelines/${body[0].id}`)).body.yaml_errors).toBe("variables name each other too deep");
  });

  test("with a slow pattern creates one without delay", async () => {
    const { id, ask } = await project(null);
    const ci =
      "job:\n  script: x\n  rules: [{if: '$CI_COMMIT_MESSAGE =~ /^(a|a)*$/', when: never}, {when: on_success}]";
    await putCiFile(world, id, ci, { message: `${"a".repeat(60)}!` });
    expect((await ask("GET", "/pipelines")).body).toMatchObject([{ source: "push" }]);
  });

  test("without a CI file creates none", async () => {
    const { id, ask } = await project(null);
    await filesOf(world, id, dev.token).create("a.txt");
    expect((await ask("GET", "/pipelines")).body).toEqual([]);
    expect((await ask("GET", "/pipelines/latest")).status).toBe(403);
  });
});

describe("reading", () => {
  test("lists by every filter and order", async () => {
    const { ask, make } = await project("workflow: {name: $CI_COMMIT_BRANCH}\na: {script: x}");
    await ask("POST", "/repository/branches", { branch: "side", ref: "main" });
    await ask("POST", "/repository/tags", { tag_name: "v1", ref: "main" });
    const [main, side, tag] = [await make(), await make({ ref: "side" }), await make({ ref: "v1" })];
    const ids = async (query: string) =>
      (await ask("GET", `/pipelines?source=api&${query}`)).body.map((each: Json) => each.id);
    expect(await ids("")).toEqual([tag.id, side.id, main.id]);
    expect(await ids("sort=asc")).toEqual([main.id, side.id, tag.id]);
    expect(await ids("order_by=ref&sort=asc")).toEqual([main.id, side.id, tag.id]);
    expect(await ids("ref=side")).toEqual([side.id]);
    expect(await ids("scope=tags")).toEqual([tag.id]);
    expect(await ids("scope=branches")).toEqual([side.id, main.id]);
    expect(await ids("scope=pending")).toHaveLength(3);
    expect(await ids("scope=finished")).toEqual([]);
    expect(await ids("status=pending")).toHaveLength(3);
    expect(await ids(`sha=${main.sha}`)).toHaveLength(3);
    expect(await ids("username=dora")).toHaveLength(3);
    expect(await ids("username=nobody")).toEqual([]);
    expect(await ids("created_after=2099-01-01")).toEqual([]);
    expect(await ids("updated_before=2099-01-01")).toHaveLength(3);
    for (const name of ["status", "scope", "source", "order_by", "sort"]) {
      const { status, body } = await ask("GET", `/pipelines?${name}=odd`);
      expect([status, body.error]).toEqual([400, `${name} does not have a valid value`]);
    }
    expect((await ask("GET", "/pipelines/latest?ref=side")).body.id).toBe(side.id);
  });

  test("is open to all who see the project while jobs are public, else to reporters", async () => {
    const { id, ask, make } = await project();
    const pipeline = await make();
    const stranger = await world.user();
    for (const end of [
      "/pipelines",
      `/pipelines/${pipeline.id}`,
      `/pipelines/${pipeline.id}/jobs`,
      `/pipelines/${pipeline.id}/bridges`,
      "/pipelines/latest",
    ]) {
      expect((await ask("GET", end, undefined, guest.token)).status).toBe(200);
      expect((await ask("GET", end, undefined, stranger.token)).body).toEqual({ message: "404 Project Not Found" });
    }
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { public_jobs: false } });
    expect((await ask("GET", "/pipelines", undefined, guest.token)).status).toBe(403);
    expect((await ask("GET", "/pipelines")).status).toBe(200);
    for (const each of ["999999", "-1"]) {
      expect((await ask("GET", `/pipelines/${each}`)).body).toEqual({ message: "404 Not found" });
    }
    expect((await (await project()).ask("GET", `/pipelines/${pipeline.id}`)).status).toBe(404);
  });

  test("are planned two at a time for one user", async () => {
    const { make } = await project();
    const { repositories } = world.context;
    const plan = repositories.withoutWaiting.bind(repositories);
    let [running, most] = [0, 0];
    using _ = spyOn(repositories, "withoutWaiting").mockImplementation(async (work) => {
      running += 1;
      most = Math.max(most, running);
      return plan(work).finally(() => {
        running -= 1;
      });
    });
    await Promise.all(Array.from({ length: 6 }, () => make()));
    expect([running, most]).toEqual([0, 2]);
  });

  test("nobody sees more of pipelines than of the repository", async () => {
    const { id, ask, make } = await project();
    await make();
    const change = (json: object) => world.call("PUT", `/projects/${id}`, { token: rootToken, json });
    const stranger = await world.user();
    expect((await change({ visibility: "public" })).status).toBe(200);
    expect((await ask("GET", "/pipelines", undefined, stranger.token)).status).toBe(200);
    await change({ repository_access_level: "private" });
    expect((await ask("GET", "/pipelines", undefined, stranger.token)).status).toBe(403);
    expect((await ask("GET", "/pipelines", undefined, guest.token)).status).toBe(200);
  });

  test("`trigger:` jobs are bridges, and no others", async () => {
    const { ask, make } = await project("a: {script: x}\nb: {trigger: other/project}");
    const { id } = await make();
    const bridges = (await ask("GET", `/pipelines/${id}/bridges`)).body;
    expect(bridges).toMatchObject([{ name: "b", downstream_pipeline: null }]);
    expect(namesOf((await ask("GET", `/pipelines/${id}/jobs`)).body)).toEqual(["a pending"]);
  });
});

describe("one pipeline", () => {
  test("that succeeded with a job that failed and may, passed with warnings", async () => {
    const { id, ask, make } = await project("a: {script: x, allow_failure: true}");
    const { id: pipelineId } = await make();
    await endJobs(world, pipelineId, "failed");
    const { body } = await ask("GET", `/pipelines/${pipelineId}`);
    expect([body.status, body.detailed_status]).toMatchObject([
      "success",
      {
        ...{ text: "Warning", label: "passed with warnings", tooltip: "passed with warnings" },
        ...{ icon: "status_warning", group: "success-with-warnings" },
        favicon: "/assets/ci_favicons/favicon_status_success.png",
      },
    ]);
    expect((await world.get(`/projects/${id}/pipelines/latest`)).body.detailed_status.group).toBe(
      "success-with-warnings",
    );
  });

  test("is canceled with its jobs, and retried with new ones", async () => {
    const { ask, make } = await project();
    const { id } = await make();
    const canceled = await ask("POST", `/pipelines/${id}/cancel`);
    expect([canceled.status, canceled.body.status]).toEqual([200, "canceled"]);
    const retried = await ask("POST", `/pipelines/${id}/retry`);
    expect([retried.status, retried.body.status, retried.body.finished_at]).toEqual([201, "pending", null]);
    expect(namesOf((await ask("GET", `/pipelines/${id}/jobs`)).body)).toEqual(["c created", "b created", "a pending"]);
    const all = await ask("GET", `/pipelines/${id}/jobs?include_retried=true`);
    expect(all.body).toHaveLength(6);
    expect((await ask("GET", `/pipelines/${id}/jobs?scope[]=pending`)).body).toHaveLength(1);
    expect((await ask("POST", `/pipelines/${id}/cancel`, undefined, guest.token)).status).toBe(403);
  });

  test("is given a name", async () => {
    const { ask, make } = await project();
    const { id } = await make();
    const named = await ask("PUT", `/pipelines/${id}/metadata`, { name: "Nightly" });
    expect([named.status, named.body.name, named.body.id]).toEqual([200, "Nightly", id]);
    expect((await ask("GET", "/pipelines?name=Nightly")).body.map((each: Json) => each.id)).toEqual([id]);
    expect((await ask("PUT", `/pipelines/${id}/metadata`)).body.error).toBe("name is missing");
    expect((await ask("PUT", `/pipelines/${id}/metadata`, { name: "x" }, guest.token)).status).toBe(403);
    expect((await ask("PUT", `/pipelines/${id}/metadata`, { name: "  Weekly " })).body.name).toBe("Weekly");
    for (const [name, problem] of [
      ["a".repeat(256), "long (maximum is 255 characters)"],
      [" ", "short (minimum is 1 character)"],
    ] as const) {
      const refused = await ask("PUT", `/pipelines/${id}/metadata`, { name });
      expect([refused.status, refused.body]).toEqual([
        400,
        { message: `Failed to update pipeline - Name is too ${problem}` },
      ]);
    }
    expect((await ask("GET", `/pipelines/${id}`)).body.name).toBe("Weekly");
  });

  test("is deleted with its jobs by an owner", async () => {
    const { ask, make } = await project();
    const { id } = await make();
    expect((await ask("DELETE", `/pipelines/${id}`)).status).toBe(403);
    expect((await ask("DELETE", `/pipelines/${id}`, undefined, rootToken)).status).toBe(204);
    expect((await ask("GET", `/pipelines/${id}`)).status).toBe(404);
    expect([...world.store.of(ciJobs).by.pipeline_id.find(id)]).toEqual([]);
  });

  test("is deleted with its project", async () => {
    const made = await project();
    const { id } = await made.make();
    await world.call("DELETE", `/projects/${made.id}`, { token: rootToken });
    await world.jobsDone();
    expect(world.store.of(pipelines).get(id)).toBeUndefined();
    expect([...world.store.of(ciJobs).by.project_id.find(made.id)]).toEqual([]);
  });
});

test("a delayed job becomes pending when its time has come", async () => {
  const { ask, make } = await project("a: {script: x, when: delayed, start_in: 30 minutes}");
  const { id } = await make();
  const statusNow = async () => (await ask("GET", `/pipelines/${id}`)).body.status;
  expect(await statusNow()).toBe("scheduled");
  world.clock.advance(30 * 60_000);
  await world.jobsDone();
  expect(await statusNow()).toBe("pending");
});
