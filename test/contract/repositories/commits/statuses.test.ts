import { describe, expect, test } from "bun:test";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { type Attributes, messageOf, projectWith } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);

/** A project with a commit, and its statuses as a developer sets and lists them. */
async function project(files: Readonly<Record<string, string>> = { "a.txt": "one" }, attributes: Attributes = {}) {
  const made = await projectWith(world, "developer", attributes);
  const sha = await made.write(files);
  const set = (json: Attributes, token = made.person.token, revision = sha) =>
    world.call("POST", `/projects/${made.id}/statuses/${revision}`, { token, json });
  const list = async (query: Readonly<Record<string, string | number | boolean>> = {}) =>
    (await made.get(`${sha}/statuses`, query)).body;
  const pipelines = async () => (await world.get(`/projects/${made.id}/pipelines`)).body;
  return { ...made, sha, set, list, pipelines };
}

const ci = { ".gitlab-ci.yml": "test-job: {script: [echo]}\n" };
const names = (rows: readonly Json[]) => rows.map(({ name }) => name);

describe("a status", () => {
  test.each(["pending", "running", "success", "failed", "canceled", "skipped"])(
    "%s makes a pipeline of source external",
    async (state) => {
      const { sha, set, pipelines, person, get } = await project();
      const { status, body } = await set({ state });
      expect(status).toBe(201);
      const [pipeline, ...others] = await pipelines();
      expect(others).toEqual([]);
      expect(pipeline).toMatchObject({ source: "external", sha, ref: "main", iid: 1, status: state });
      expect(body).toEqual({
        id: expect.any(Number),
        sha,
        ref: "main",
        status: state,
        name: "default",
        target_url: null,
        description: null,
        created_at: expect.any(String),
        started_at: state === "running" ? expect.any(String) : null,
        finished_at: ["pending", "running"].includes(state) ? null : expect.any(String),
        allow_failure: false,
        coverage: null,
        pipeline_id: pipeline.id,
        author: expect.objectContaining({ username: person.username }),
      });
      expect((await get(sha)).body).toMatchObject({ status: state, last_pipeline: { id: pipeline.id } });
    },
  );

  test("that is pending or running is changed in place, by what is given", async () => {
    const { set, list } = await project();
    const first = {
      state: "running",
      context: "lint",
      description: "one",
      coverage: 10,
      target_url: "https://ci.example/1",
    };
    const { body } = await set(first);
    const { status, body: after } = await set({ state: "success", name: "lint", description: "two", coverage: 90.5 });
    expect([status, after.id, after.status]).toEqual([201, body.id, "success"]);
    expect(after).toMatchObject({ description: "two", coverage: 90.5, target_url: "https://ci.example/1" });
    expect(await list({ all: true })).toEqual([after]);
  });

  test("that has ended gets another row, and only the latest is listed", async () => {
    const { set, list, pipelines } = await project();
    const first = (await set({ state: "failed", name: "lint" })).body;
    expect((await pipelines())[0].status).toBe("failed");
    const second = (await set({ state: "success", name: "lint" })).body;
    expect(second.id).not.toBe(first.id);
    expect(await list()).toEqual([second]);
    expect(await list({ all: true })).toEqual([first, second]);
    expect((await pipelines())[0].status).toBe("success");
  });

  test("of another user is another row", async () => {
    const { id, set, list } = await project();
    const other = await world.user();
    addMember(world, { id }, other, "developer", "project");
    const first = (await set({ state: "running", name: "lint" })).body;
    const second = (await set({ state: "success", name: "lint" }, other.token)).body;
    expect(second.id).not.toBe(first.id);
    expect((await list()).map((row: Json) => row.id)).toEqual([second.id]);
  });

  test.each([
    ["pending", "pending", "enqueue"],
    ["running", "running", "run"],
    ["running", "pending", "enqueue"],
    ["running", "skipped", "skip"],
  ])("that is %s does not become %s", async (from, to, event) => {
    const { set, list } = await project();
    await set({ state: from, description: "one" });
    expect(messageOf(await set({ state: to, description: "two" }))).toEqual([
      400,
      `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`,
    ]);
    expect(await list()).toMatchObject([{ status: from, description: "one" }]);
  });

  test("joins the pipeline that is there, behind its jobs, and decides with them how that goes", async () => {
    const { id, set, list, pipelines } = await project(ci);
    await world.jobsDone();
    const [{ id: pipelineId }] = await pipelines();
    const { body } = await set({ state: "failed", name: "scan" });
    expect(body.pipeline_id).toBe(pipelineId);
    expect(names(await list())).toEqual(["test-job", "scan"]);
    expect(await list({ stage: "external" })).toEqual([body]);
    const jobs = `/projects/${id}/pipelines/${pipelineId}/jobs`;
    expect(names((await world.get(jobs)).body)).toEqual(["test-job"]);
    expect(names((await world.get(`/projects/${id}/jobs`)).body)).toEqual(["test-job"]);
    expect((await world.get(`/projects/${id}/jobs/${body.id}`)).status).toBe(404);
    const [job] = (await world.get(jobs)).body;
    await world.call("POST", `/projects/${id}/jobs/${job.id}/cancel`, { token: rootToken });
    expect((await pipelines())[0].status).toBe("failed");
    await world.call("POST", `/projects/${id}/pipelines/${pipelineId}/retry`, { token: rootToken });
    expect(await list({ name: "scan", all: true })).toEqual([body]);
  });

  test("may not have the name of a job", async () => {
    const { set } = await project(ci);
    expect(messageOf(await set({ state: "pending", name: "test-job" }))).toEqual([
      400,
      { name: ["has already been taken"] },
    ]);
  });

  test("belongs to the pipeline of the given ref and id", async () => {
    const { sha, id, set, list } = await project(ci);
    await world.call("POST", `/projects/${id}/repository/branches`, {
      token: rootToken,
      json: { branch: "dev", ref: "main" },
    });
    const { body: older } = await world.call("POST", `/projects/${id}/pipeline`, {
      token: rootToken,
      json: { ref: "dev" },
    });
    const { body: newer } = await world.call("POST", `/projects/${id}/pipeline`, {
      token: rootToken,
      json: { ref: "dev" },
    });
    expect((await set({ state: "success", ref: "dev" })).body.pipeline_id).toBe(newer.id);
    expect((await set({ state: "success", ref: "dev", pipeline_id: older.id })).body.pipeline_id).toBe(older.id);
    expect((await set({ state: "success", ref: "main" })).body).toMatchObject({ ref: "main", sha });
    expect((await set({ state: "success", ref: "none-yet" })).body).toMatchObject({ ref: "none-yet" });
    expect(messageOf(await set({ state: "success", ref: "main", pipeline_id: older.id }))).toEqual([
      404,
      "404 Pipeline for pipeline_id, sha and ref Not Found",
    ]);
    expect((await list({ ref: "dev" })).every((row: Json) => row.ref === "dev")).toBe(true);
    expect(names(await list({ pipeline_id: older.id }))).toEqual(["test-job", "default"]);
    const order = async (query: Readonly<Record<string, string>>) =>
      (await list(query)).map((row: Json) => [row.pipeline_id, row.id]);
    const rows = await order({});
    const by = (compare: (one: number[], other: number[]) => number) => [...rows].sort(compare as never);
    expect(rows).toEqual(by((one, other) => (one[1] as number) - (other[1] as number)));
    expect(await order({ sort: "desc" })).toEqual([...rows].reverse());
    expect(await order({ order_by: "pipeline_id", sort: "desc" })).toEqual(
      by((one, other) => (other[0] as number) - (one[0] as number) || (one[1] as number) - (other[1] as number)),
    );
  });

  test("takes no job away from the runners, and no runner takes it", async () => {
    const { id, set } = await project();
    const { body } = await set({ state: "pending" });
    const runner = await world.call("POST", "/user/runners", {
      token: rootToken,
      json: { runner_type: "project_type", project_id: id },
    });
    const request = await world.call("POST", "/jobs/request", { json: { token: runner.body.token } });
    expect([request.status, body.status]).toEqual([204, "pending"]);
  });
});

describe("a status is refused", () => {
  test("for bad values", async () => {
    const { set } = await project();
    const long = "x".repeat(256);
    const tooLong = "is too long (maximum is 255 characters)";
    expect((await set({})).body.error).toBe("state is missing");
    expect((await set({ state: "invalid" })).body.error).toBe("state does not have a valid value");
    for (const target_url of ["invalid url", "git://example.com"]) {
      expect(messageOf(await set({ state: "pending", target_url }))).toEqual([
        400,
        { target_url: ["is blocked: Only allowed schemes are http, https"] },
      ]);
    }
    expect(messageOf(await set({ state: "pending", description: long, name: long }))).toEqual([
      400,
      { name: [tooLong], description: [tooLong] },
    ]);
  });

  test("for a commit that is unknown, or that no branch has", async () => {
    const { id, set, write, sha, person } = await project();
    expect(messageOf(await set({ state: "success" }, person.token, "none"))).toEqual([404, "404 Commit Not Found"]);
    const lost = await write({ "b.txt": "two" });
    await write({ "c.txt": "three" }, { start_sha: sha, force: true });
    expect(messageOf(await set({ state: "success" }, person.token, lost))).toEqual([
      404,
      "404 References for commit Not Found",
    ]);
    expect((await set({ state: "success", ref: "main" }, person.token, lost)).status).toBe(201);
    expect(id).toBeGreaterThan(0);
  });

  test("below developer, on a protected ref, and in an archived project", async () => {
    const { id, set, path, sha } = await project();
    for (const [role, read, written] of [
      ["guest", 403, 403],
      ["reporter", 200, 403],
      ["developer", 200, 201],
    ] as const) {
      const person = await world.user();
      addMember(world, { id }, person, role, "project");
      expect((await set({ state: "success", name: role }, person.token)).status).toBe(written);
      expect((await world.call("GET", `${path}/${sha}/statuses`, { token: person.token })).status).toBe(read);
    }
    expect((await world.call("POST", `/projects/${id}/statuses/${sha}`, { json: { state: "success" } })).status).toBe(
      401,
    );
    expect((await world.call("GET", `${path}/${sha}/statuses`)).status).toBe(401);
    await world.call("POST", `/projects/${id}/protected_branches`, { token: rootToken, json: { name: "main" } });
    expect(messageOf(await set({ state: "success" }))).toEqual([403, "403 Forbidden"]);
    expect((await set({ state: "success" }, rootToken)).status).toBe(201);
    await world.call("POST", `/projects/${id}/archive`, { token: rootToken });
    expect((await set({ state: "success" }, rootToken)).status).toBe(403);
  });

  test("by order_by and sort", async () => {
    const { get, sha } = await project();
    expect((await get(`${sha}/statuses`, { order_by: "name" })).body.error).toBe(
      "order_by does not have a valid value",
    );
    expect((await get("none/statuses")).status).toBe(404);
    expect((await get(`${sha}/statuses`)).body).toEqual([]);
  });
});
