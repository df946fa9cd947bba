import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
const { id } = await makeProject(world, { visibility: "public" });
const { create, change, remove } = filesOf(world, id, rootToken);
const at = `/projects/${id}`;
const detail = (sha: string, query = {}, token: string | undefined = rootToken) =>
  world.call("GET", `${at}/repository/commits/${sha}`, { token, query });

await create("a.txt", { content: "one\ntwo\nthree" });
await change("a.txt", { content: "one\n2\nthree\nfour\n" });
await create("picture", { content: Buffer.from([1, 0, 2]).toString("base64"), encoding: "base64" });
await remove("a.txt");
await world.call("POST", `${at}/repository/branches`, { token: rootToken, json: { branch: "side", ref: "main" } });

describe("the changed lines of a commit", () => {
  test("are counted against its parent, the first commit against nothing, and none in binary files", async () => {
    const { body } = await world.get(`${at}/repository/commits`, { query: { with_stats: true } });
    expect(body.map(({ stats }: { stats: object }) => stats)).toEqual([
      { additions: 0, deletions: 4, total: 4 },
      { additions: 0, deletions: 0, total: 0 },
      { additions: 3, deletions: 2, total: 5 },
      { additions: 3, deletions: 0, total: 3 },
    ]);
    expect((await detail(body[2].id)).body.stats).toEqual({ additions: 3, deletions: 2, total: 5 });
  });

  test("are left out with stats=false, and of lists without with_stats", async () => {
    expect((await detail("main", { stats: false })).body).not.toHaveProperty("stats");
    const { body } = await world.get(`${at}/repository/commits`);
    expect(body[0]).not.toHaveProperty("stats");
  });
});

describe("the pipeline of a commit", () => {
  test("is null for a commit without one", async () => {
    const { body } = await detail("main");
    expect(body).toMatchObject({ project_id: id, status: null, last_pipeline: null });
  });

  test("is the newest, for those who may see pipelines", async () => {
    await create(".gitlab-ci.yml", { content: "a: { script: x }\n" });
    const { body: second } = await world.call("POST", `${at}/pipeline`, { token: rootToken, json: { ref: "main" } });
    await world.jobsDone();
    const { body } = await detail("main");
    expect(body.status).toBe("pending");
    expect(body.last_pipeline).toEqual({
      ...{ id: second.id, iid: 2, project_id: id, sha: body.id, ref: "main", status: "pending", source: "api" },
      ...{ created_at: second.created_at, updated_at: expect.any(String), web_url: second.web_url },
    });
    expect((await detail("main", {}, undefined)).body.last_pipeline.id).toBe(second.id);
    await world.call("PUT", at, { token: rootToken, json: { public_jobs: false } });
    const [guest, reporter] = [await world.user(), await world.user()];
    addMember(world, { id }, reporter, "reporter", "project");
    expect((await detail("main", {}, guest.token)).body).toMatchObject({ status: null, last_pipeline: null });
    expect((await detail("main", {}, reporter.token)).body.last_pipeline.id).toBe(second.id);
  });
});
