import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { dayMs } from "../../../../src/lib/datetime.ts";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const hourMs = dayMs / 24;

const world = await startWorld();
const { person, group } = await setTracker(world, "private");
const owner = await person(accessLevels.developer);

interface Place {
  readonly path: string;
  readonly id: number;
}

let count = 0;
async function place(json: Json = {}, ciFile = "test: {script: [make]}"): Promise<Place> {
  count += 1;
  const { body } = await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: `timed ${count}`, namespace_id: group.id, initialize_with_readme: true },
  });
  await world.call("POST", `/projects/${body.id}/members`, {
    token: rootToken,
    json: { user_id: owner.id, access_level: accessLevels.developer },
  });
  await putCiFile(world, body.id, ciFile);
  const path = `/projects/${body.id}/pipeline_schedules`;
  const made = await world.call("POST", path, {
    token: owner.token,
    json: { description: "Hourly", ref: "main", cron: "30 * * * *", ...json },
  });
  expect(made.status).toBe(201);
  return { path: `${path}/${made.body.id}`, id: body.id };
}
const shown = async ({ path }: Place) => (await world.get(path)).body;
const runs = async ({ path }: Place) => (await world.get(`${path}/pipelines`)).body;
async function advance(ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.jobsDone();
}

test("a due schedule makes one pipeline with its variables, as its owner, and sets the next time", async () => {
  const here = await place();
  await world.call("POST", `${here.path}/variables`, { token: owner.token, json: { key: "MODE", value: "night" } });
  const before = await shown(here);
  await advance(hourMs);
  const [pipeline, ...others] = await runs(here);
  expect(others).toEqual([]);
  expect(pipeline).toMatchObject({ source: "schedule", ref: "main" });
  const variables = await world.get(`/projects/${here.id}/pipelines/${pipeline.id}/variables`);
  expect(variables.body).toMatchObject([{ key: "MODE", value: "night" }]);
  expect((await world.get(`/projects/${here.id}/pipelines/${pipeline.id}`)).body.user.username).toBe(owner.username);
  const after = await shown(here);
  expect(after.last_pipeline).toMatchObject({ id: pipeline.id, ref: "main" });
  expect(Date.parse(after.next_run_at)).toBe(Date.parse(before.next_run_at) + hourMs);
});

test("a schedule that has missed many times runs once", async () => {
  const here = await place();
  await advance(10 * hourMs);
  expect((await runs(here)).length).toBe(1);
  expect(Date.parse((await shown(here)).next_run_at)).toBeGreaterThan(world.clock.now());
});

test("an inactive, changed or deleted schedule does not run at its old time", async () => {
  const [inactive, changed, deleted] = [await place(), await place(), await place()];
  await world.call("PUT", inactive.path, { token: owner.token, json: { active: false } });
  await world.call("PUT", changed.path, { token: owner.token, json: { cron: "0 0 1 1 *" } });
  await world.call("DELETE", deleted.path, { token: owner.token });
  await advance(2 * hourMs);
  expect([await runs(inactive), await runs(changed)]).toEqual([[], []]);
  expect((await world.get(`/projects/${deleted.id}/pipelines?source=schedule`)).body).toEqual([]);
});

test("a schedule whose owner may run no pipelines becomes inactive", async () => {
  const here = await place();
  await world.call("PUT", `/projects/${here.id}/members/${owner.id}`, {
    token: rootToken,
    json: { access_level: accessLevels.reporter },
  });
  await world.call("POST", `/projects/${here.id}/archive`, { token: rootToken });
  await advance(hourMs);
  expect(await shown(here)).toMatchObject({ active: false, next_run_at: null, last_pipeline: null });
});

test("an invalid CI file makes a failed pipeline, a missing job none, and the schedule goes on", async () => {
  const [invalid, empty] = [
    await place({}, "test: 7"),
    await place({}, "test: {script: [make], rules: [{when: never}]}"),
  ];
  await advance(hourMs);
  expect((await runs(invalid)).map(({ status }: Json) => status)).toEqual(["failed"]);
  expect(await runs(empty)).toEqual([]);
  expect((await shown(empty)).active).toBe(true);
});

test("play runs an inactive schedule at once, as the caller", async () => {
  const here = await place({ active: false });
  const { status, body } = await world.call("POST", `${here.path}/play`, { token: rootToken });
  expect([status, body]).toEqual([201, { message: "201 Created" }]);
  const [pipeline] = await runs(here);
  expect((await world.get(`/projects/${here.id}/pipelines/${pipeline.id}`)).body.user.username).toBe("root");
  expect(await shown(here)).toMatchObject({ active: false, next_run_at: null, last_pipeline: { id: pipeline.id } });
});

test("a schedule stays without its owner, and does not run", async () => {
  const here = await place();
  const leaving = await world.user();
  await world.call("POST", `/projects/${here.id}/members`, {
    token: rootToken,
    json: { user_id: leaving.id, access_level: accessLevels.maintainer },
  });
  await world.call("POST", `${here.path}/take_ownership`, { token: leaving.token });
  await world.call("DELETE", `/users/${leaving.id}`, { token: rootToken });
  await world.jobsDone();
  expect(await shown(here)).toMatchObject({ owner: null, active: false, next_run_at: null });
  await advance(2 * hourMs);
  expect(await runs(here)).toEqual([]);
});
