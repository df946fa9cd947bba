import { describe, expect, test } from "bun:test";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ userWriteQuotaMb: 3 });

test("the jobs of pipelines count as what their user writes, with their changes until they run", async () => {
  const { token } = await world.user();
  const json = { path: "many-jobs", initialize_with_readme: true };
  const { id } = (await world.call("POST", "/projects", { token, json })).body;
  await putCiFile(world, id, Array.from({ length: 450 }, (_, at) => `j${at}: {script: x}`).join("\n"), { token });
  const statuses: number[] = [];
  while (statuses.length < 40 && statuses.at(-1) !== 429) {
    const { status } = await world.call("POST", `/projects/${id}/pipeline`, { token, json: { ref: "main" } });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 201, 201, 429]);
});

test("each tag of a job counts half a kibibyte", async () => {
  const { token } = await world.user();
  const json = { path: "many-tags", initialize_with_readme: true };
  const { id } = (await world.call("POST", "/projects", { token, json })).body;
  const tags = Array.from({ length: 49 }, (_, at) => `t${at}`).join(", ");
  const jobs = Array.from({ length: 100 }, (_, at) => `j${at}: {script: x, tags: [${tags}]}`);
  await putCiFile(world, id, jobs.join("\n"), { token });
  const make = () => world.call("POST", `/projects/${id}/pipeline`, { token, json: { ref: "main" } });
  expect([(await make()).status, (await make()).status, (await make()).status]).toEqual([201, 201, 429]);
});

describe("the pipelines that a pipeline sets off", () => {
  const child = Array.from({ length: 100 }, (_, at) => `j${at}: {trigger: {include: child.yml}}`).join("\n");

  /** A project of a user whose pipelines set off a hundred others each, with the first of them. */
  async function makeFamily(user: {
    readonly token: string;
  }): Promise<{ readonly id: number; readonly total: number }> {
    const json = { path: "family", initialize_with_readme: true };
    const { id } = (await world.call("POST", "/projects", { ...user, json })).body;
    const file = { branch: "main", commit_message: "x [skip ci]", content: child };
    await world.call("POST", `/projects/${id}/repository/files/child.yml`, { ...user, json: file });
    await putCiFile(world, id, "first: {trigger: {include: child.yml}}", user);
    const made = await world.call("POST", `/projects/${id}/pipeline`, { ...user, json: { ref: "main" } });
    expect(made.status).toBe(201);
    await world.jobsDone();
    const children = await world.call("GET", `/projects/${id}/pipelines?per_page=1&source=parent_pipeline`, user);
    return { id, total: 1 + Number(children.headers.get("x-total")) };
  }

  test("count for the user, too, and end with what the user may write in an hour", async () => {
    const user = await world.user();
    const { id, total } = await makeFamily(user);
    // 3 MiB, and more than 2 KiB for each of a hundred jobs: fewer than 15 large pipelines, after the first one.
    expect(total).toBeWithin(5, 16);
    const { body } = await world.call("GET", `/projects/${id}/pipelines?source=parent_pipeline`, user);
    const last = await world.call("GET", `/projects/${id}/pipelines/${body[0].id}/bridges`, user);
    expect(last.body[0]).toMatchObject({ status: "failed", failure_reason: "ci_quota_exceeded" });
    const refused = await world.call("POST", `/projects/${id}/pipeline`, { ...user, json: { ref: "main" } });
    expect(refused.status).toBe(429);
  });

  test("of an administrator end where a hierarchy has too many", async () => {
    expect((await makeFamily({ token: rootToken })).total).toBeWithin(102, 1001);
  });
});

test("a pipeline that a trigger token starts counts for the owner of the token", async () => {
  const { token } = await world.user();
  const json = { path: "triggered", initialize_with_readme: true };
  const { id } = (await world.call("POST", "/projects", { token, json })).body;
  await putCiFile(world, id, "job: {script: x}", { token });
  const made = await world.call("POST", `/projects/${id}/triggers`, { token, json: { description: "x" } });
  const run = () =>
    world.call("POST", `/projects/${id}/trigger/pipeline`, {
      json: { token: made.body.token, ref: "main", junk: "x".repeat(1_000_000) },
    });
  const statuses: number[] = [];
  while (statuses.length < 9 && statuses.at(-1) !== 429) statuses.push((await run()).status);
  expect(statuses).toEqual([201, 201, 201, 201, 429]);
  const own = await world.call("POST", `/projects/${id}/issues`, { token, json: { title: "x" } });
  expect(own.status).toBe(429);
});

test("runners that register with the token of a project or group count for it", async () => {
  const { token } = await world.user();
  const project = await world.call("POST", "/projects", { token, json: { path: "served" } });
  const group = await world.call("POST", "/groups", { token, json: { path: "served", name: "served" } });
  const tag_list = Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(250, "x"));
  for (const { body } of [project, group]) {
    const register = () => world.call("POST", "/runners", { json: { token: body.runners_token, tag_list } });
    let count = 0;
    while (count < 400 && (await register()).status === 201) count += 1;
    expect(count).toBeWithin(100, 300);
    expect((await register()).status).toBe(429);
  }
  expect((await world.call("POST", "/projects", { token, json: { path: "other" } })).status).toBe(201);
});
