import { expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { findManager, runnerManagers } from "../../../../../src/modules/ci/runners/records.ts";
import { alterJob, putRunningJob } from "../../../../support/ci/running-job.ts";
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

test("what a machine says of itself shows at once, whoever it asks", async () => {
  const { id, token } = await create({ runner_type: "instance_type" });
  const told = async (path: string, info: object) => {
    await world.call("POST", path, { json: { token, system_id: "s_1", info } });
    const [shown, [manager]] = [
      (await world.get(`/runners/${id}`)).body,
      (await world.get(`/runners/${id}/managers`)).body,
    ];
    expect(manager.version).toBe(shown.version);
    return [shown.version, shown.platform];
  };
  expect(await told("/runners/verify", { version: "17.0.0", platform: "linux", name: 5 })).toEqual(["17.0.0", "linux"]);
  expect(await told("/runners/verify", {})).toEqual(["17.0.0", "linux"]);
  expect(await told("/jobs/request", { version: "17.1.0" })).toEqual(["17.1.0", "linux"]);
  expect(await told("/runners/verify", { platform: "windows", version: null })).toEqual(["17.1.0", "windows"]);
});

test("a paused runner has the status paused after its first contact, until it is stale", async () => {
  const { id, token } = await create({ runner_type: "instance_type", paused: true });
  const status = async () => (await world.get(`/runners/${id}`)).body.status;
  expect(await status()).toBe("never_contacted");
  await world.call("POST", "/runners/verify", { json: { token } });
  expect(await status()).toBe("paused");
  await world.call("PUT", `/runners/${id}`, { token: rootToken, json: { paused: false } });
  expect(await status()).toBe("online");
  await world.call("PUT", `/runners/${id}`, { token: rootToken, json: { paused: true } });
  world.clock.advance(3 * 60 * 60 * 1000);
  expect(await status()).toBe("paused");
  world.clock.advance(7 * 24 * 60 * 60 * 1000);
  expect(await status()).toBe("stale");
});

test("a runner and its machine are active while they run a job", async () => {
  const { job } = await working({ runner_type: "project_type", project_id: project.id });
  const statuses = async () => {
    const { runner, runner_manager } = (await world.get(`/projects/${project.id}/jobs/${job.id}`)).body;
    return [runner.job_execution_status, runner_manager.job_execution_status];
  };
  expect(await statuses()).toEqual(["active", "active"]);
  alterJob(world, job, { status: "success" });
  expect(await statuses()).toEqual(["idle", "idle"]);
});
