import { expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { findManager, runnerManagers } from "../../../../../src/modules/ci/runners/records.ts";
import { putRunningJob } from "../../../../support/ci/running-job.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group: makeGroup, project: makeProject, member } = placesOf(world);
const group = makeGroup({ visibility: "public" });
const project = makeProject(group.id, { visibility: "public" });
const maintainer = await world.user();
const developer = await world.user();
const stranger = await world.user();
member(project, maintainer.id, accessLevels.maintainer);
member(project, developer.id, accessLevels.developer);

const create = async (json: object): Promise<Json> =>
  (await world.call("POST", "/user/runners", { token: rootToken, json })).body;

/** A runner with a machine that has a job of the project. */
async function working(json: object) {
  const { id, token } = await create(json);
  await world.call("POST", "/runners/verify", { json: { token, system_id: "s_1" } });
  const runner_manager_id = findManager(world.store, id, "s_1")?.id ?? 0;
  return putRunningJob(world, project.id, 1, { runner_id: id, runner_manager_id });
}

test.each([
  [{ runner_type: "project_type", project_id: project.id }, [maintainer.token, rootToken], [stranger, developer]],
  [{ runner_type: "group_type", group_id: group.id }, [rootToken], [stranger, developer, maintainer]],
  [{ runner_type: "instance_type" }, [rootToken, stranger.token], []],
] as const)("only users who may see the runner see the machine of a job: %j", async (json, seeing, others) => {
  const { job, pipeline } = await working(json);
  const shown = async (token: string) => {
    const path = `/projects/${project.id}`;
    const answers = [
      await world.call("GET", `${path}/jobs/${job.id}`, { token }),
      await world.call("GET", `${path}/pipelines/${pipeline.id}/jobs`, { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [{ runner_manager: one }, { runner_manager: listed }] = [answers[0]?.body, answers[1]?.body[0]];
    expect([one.platform, listed]).toEqual(["", one]);
    return [one.system_id, one.ip_address];
  };
  for (const token of seeing) expect(await shown(token)).toEqual(["s_1", "127.0.0.1"]);
  for (const { token } of others) expect(await shown(token)).toEqual([null, null]);
});

test("a runner has at most a thousand machines: the one with the oldest contact is removed", async () => {
  const { id, token } = await create({ runner_type: "instance_type" });
  const verify = async (system_id: string) =>
    expect((await world.call("POST", "/runners/verify", { json: { token, system_id } })).status).toBe(200);
  for (const system_id of ["oldest", "older"]) {
    await verify(system_id);
    world.clock.advance(60_000);
  }
  const first = findManager(world.store, id, "older");
  if (first === undefined) throw new Error("no machine");
  const contacted_at = world.clock.time();
  world.store.transact((tx) => {
    for (let at = 0; at < 998; at += 1) {
      tx.insert(runnerManagers, { ...first, id: tx.nextId("runner_managers"), system_id: `m_${at}`, contacted_at });
    }
  });
  const known = () => world.store.of(runnerManagers).by.runner_id.find(id).size;
  expect(known()).toBe(1000);
  world.clock.advance(60_000);
  await verify("oldest");
  await verify("new");
  expect(known()).toBe(1000);
  expect(["oldest", "older", "m_0", "new"].map((name) => findManager(world.store, id, name) !== undefined)).toEqual([
    ...[true, false, true, true],
  ]);
});
