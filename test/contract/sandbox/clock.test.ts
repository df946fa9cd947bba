import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { enqueueJob, type JobKind } from "../../../src/modules/core/background-jobs/index.ts";
import { setAlertScene } from "../../support/fixtures/alerts.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const backups = await createTempFolder();
const world = await startWorld({
  sandbox: true,
  storageMoveDelayMs: 60_000,
  backupSchedule: "30 3 * * *",
  backupFolder: backups.path,
  backupKeep: 2,
  alertRateLimit: 2,
  alertRatePeriod: 60,
});
await world.rootPasswordStored();

const asRoot = (method: string, path: string, json?: object) =>
  world.call(method, path, { token: rootToken, ...(json === undefined ? {} : { json }) });
const setClock = (json: object) => asRoot("PUT", "/-/sandbox/clock", json);
const clock = async () => (await asRoot("GET", "/-/sandbox/clock")).body;
const nowMs = async () => Date.parse((await clock()).now);
const dayMs = 86_400_000;

test("the clock begins with the system's, and stands still, goes on or goes faster as it is told", async () => {
  expect(await clock()).toEqual({ now: world.clock.time(), frozen: false, offset_ms: 0, rate: 1 });
  await setClock({ frozen: true });
  const frozen = await nowMs();
  world.clock.advance(5_000);
  expect(await clock()).toEqual({ now: new Date(frozen).toISOString(), frozen: true, offset_ms: -5_000, rate: 1 });
  await setClock({ frozen: false });
  await setClock({ rate: 60 });
  world.clock.advance(1_000);
  expect((await nowMs()) - frozen).toBe(60_000);
  await setClock({ rate: 1 });
});

test("X-Runtime follows the clock", async () => {
  const runtime = async () => {
    const headers = { Prefer: "wait=0.05" };
    return (await world.call("GET", "/version", { token: rootToken, headers })).headers.get("x-runtime");
  };
  await setClock({ rate: 60 });
  expect(Number(await runtime())).toBeGreaterThanOrEqual(0.05 * 60 - 0.1);
  await setClock({ frozen: true });
  expect(await runtime()).toBe("0.000000");
  await setClock({ frozen: false });
  await setClock({ rate: 1 });
});

describe("the clock", () => {
  test.each([
    ["P1D", dayMs],
    ["P1DT2H", dayMs + 2 * 3_600_000],
    ["PT0.5S", 500],
    ["P2W", 14 * dayMs],
    [90_000, 90_000],
    ["90000", 90_000],
    [0, 0],
  ])("goes on by %p", async (advance, ms) => {
    const before = await nowMs();
    const { status, body } = await setClock({ advance });
    expect([status, Date.parse(body.now) - before]).toEqual([200, ms]);
  });

  test("follows the calendar for months and years", async () => {
    await setClock({ now: "2028-01-31T09:30:00Z" });
    expect((await setClock({ advance: "P1M" })).body.now).toBe("2028-02-29T09:30:00.000Z");
    expect((await setClock({ advance: "P1Y" })).body.now).toBe("2029-02-28T09:30:00.000Z");
  });

  test.each([
    [{}, "one of now, advance, frozen and rate has to be given"],
    [{ now: "2040-01-01T00:00:00Z", advance: "PT1S" }, "now and advance exclude each other"],
    [{ now: "2001-01-01T00:00:00Z" }, "the clock does not go back, but by a reset or a restore"],
    [{ advance: "1 day" }, "advance is neither a duration nor milliseconds"],
    [{ advance: "P" }, "advance is neither a duration nor milliseconds"],
    [{ advance: "P9000Y" }, "the clock ends with the year 9999"],
    [{ advance: `P${"9".repeat(50)}D` }, "the clock ends with the year 9999"],
  ])("refuses %j", async (json, message) => {
    const { status, body } = await setClock(json);
    expect([status, body.message]).toEqual([400, message]);
  });

  test.each([{ rate: 0 }, { rate: -1 }, { rate: "fast" }, { now: "tomorrow" }, { advance: -5 }, { frozen: "perhaps" }])(
    "refuses %j as a parameter",
    async (json) => {
      expect((await setClock(json)).status).toBe(400);
    },
  );
});

describe("several changes at once", () => {
  test("stop the clock first, then set the time, then the rate", async () => {
    const { status, body } = await setClock({ rate: 60, frozen: true, now: "2030-05-05T00:00:00Z" });
    expect([status, body.now]).toEqual([200, "2030-05-05T00:00:00.000Z"]);
    expect(await clock()).toMatchObject({ now: body.now, frozen: true, rate: 60 });
    await setClock({ frozen: false, rate: 1 });
  });

  test("change nothing when one of them is wrong", async () => {
    expect((await setClock({ frozen: true, now: "2001-01-01T00:00:00Z" })).status).toBe(400);
    expect((await clock()).frozen).toBe(false);
  });
});

describe("advancing the clock", () => {
  test("ends tokens and memberships on their days", async () => {
    const person = await world.user();
    const today = new Date(await nowMs()).toISOString().slice(0, 10);
    const inDays = (days: number) => new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
    const { token } = await world.token(person.id, { expires_at: inDays(3) });
    const { body: project } = await asRoot("POST", "/projects", { name: "private", visibility: "private" });
    const membership = { user_id: person.id, access_level: 30, expires_at: inDays(2) };
    await asRoot("POST", `/projects/${project.id}/members`, membership);
    const statuses = async () => [
      (await world.call("GET", "/user", { token })).status,
      (await world.call("GET", `/projects/${project.id}`, { token })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await setClock({ advance: "P2D" });
    expect(await statuses()).toEqual([200, 404]);
    await setClock({ advance: "P1D" });
    expect(await statuses()).toEqual([401, 401]);
  });

  test("finishes a storage move with a delay before it answers, with the times of the clock", async () => {
    await setClock({ frozen: true });
    const { body: project } = await asRoot("POST", "/projects", { name: "moving", initialize_with_readme: true });
    const moves = `/projects/${project.id}/repository_storage_moves`;
    const { body: move } = await asRoot("POST", moves);
    expect(move.state).toBe("scheduled");
    const { body } = await setClock({ advance: "PT10M" });
    expect(body.jobs_run).toBeGreaterThan(0);
    expect((await asRoot("GET", `${moves}/${move.id}`)).body.state).toBe("finished");
    await setClock({ frozen: false });
  });

  test("deletes audit events that are older than their retention", async () => {
    const created = async () =>
      (await asRoot("GET", "/audit_events?per_page=100")).body.map(({ id }: { id: number }) => id);
    await asRoot("POST", "/projects", { name: "audited" });
    const [event] = await created();
    await asRoot("PUT", "/application/settings", { audit_events_retention_days: 60 });
    await setClock({ advance: "P30D" });
    expect(await created()).toContain(event);
    await setClock({ advance: "P32D" });
    expect(await created()).not.toContain(event);
    await asRoot("PUT", "/application/settings", { audit_events_retention_days: null });
  });

  test("writes a backup for the last of its times, and keeps as many as are asked for", async () => {
    const nightAfter = (days: number) =>
      `outpost-${new Date(midnight + days * dayMs).toISOString().slice(0, 10)}T03-30-00Z.tar.gz`;
    const midnight = Math.floor((await nowMs()) / dayMs) * dayMs;
    await setClock({ now: new Date(midnight + dayMs + 4 * 3_600_000).toISOString() });
    expect(await readdir(backups.path)).toContain(nightAfter(1));
    await setClock({ advance: "P1D" });
    await setClock({ advance: "P1D" });
    expect((await readdir(backups.path)).sort()).toEqual([nightAfter(2), nightAfter(3)]);
  });

  test("lets a project's receivers accept alerts again after the period of their limit", async () => {
    await setClock({ frozen: true });
    const { send } = await setAlertScene(world);
    const statuses = async () => [(await send({ title: "disk" })).status, (await send({ title: "disk" })).status];
    expect(await statuses()).toEqual([200, 200]);
    const { status, headers } = await send({ title: "disk" });
    expect([status, headers.get("ratelimit-limit")]).toEqual([429, "2"]);
    await setClock({ advance: Number(headers.get("retry-after")) * 1000 });
    expect(await statuses()).toEqual([200, 200]);
    await setClock({ frozen: false });
  });

  test("runs periodic work for each of its times, and the Date header follows", async () => {
    const { body, headers } = await setClock({ advance: "P3D" });
    expect(body.jobs_run).toBeGreaterThan(3);
    expect(new Date(headers.get("date") as string).getTime()).toBe(Math.floor(Date.parse(body.now) / 1000) * 1000);
  });
});

test("a restore puts the clock back, and work is due again by it", async () => {
  const before = await nowMs();
  await asRoot("PUT", "/-/sandbox/checkpoints/then");
  await setClock({ advance: "P30D" });
  await asRoot("POST", "/-/sandbox/checkpoints/then/restore");
  expect(await nowMs()).toBe(before);
  expect((await setClock({ advance: "P2D" })).body.jobs_run).toBeGreaterThan(1);
  await asRoot("POST", "/-/sandbox/reset");
  expect(await clock()).toMatchObject({ frozen: false, offset_ms: 0, rate: 1 });
});

test("work that does not end is 504 after 30 seconds, with its name, and the clock goes on from its time", async () => {
  const release = Promise.withResolvers<void>();
  const isBegun = Promise.withResolvers<void>();
  const endless: JobKind = {
    kind: "endless",
    run() {
      isBegun.resolve();
      return release.promise;
    },
  };
  const stuck = await startWorld({ sandbox: true }, { jobKinds: [endless], periodicWork: [] });
  const due_at = stuck.clock.time(dayMs);
  stuck.store.transact((tx) => enqueueJob(tx, stuck, { kind: "endless", payload: {}, due_at }));
  const put = async (json: object) => {
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
    const body = JSON.stringify(json);
    const answer = await fetch(`${stuck.origin}/-/sandbox/clock`, { method: "PUT", headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  const answer = put({ advance: "P2D" });
  await isBegun.promise;
  stuck.clock.advance(30_000);
  const message = "504 Gateway Timeout - still running: endless";
  expect(await answer).toEqual({ status: 504, body: { message } });
  const shown = async () => (await stuck.get("/-/sandbox/clock")).body;
  expect(await shown()).toMatchObject({ now: due_at, frozen: false });
  stuck.clock.advance(1_000);
  expect(Date.parse((await shown()).now)).toBe(Date.parse(due_at) + 1_000);
  release.resolve();
  expect((await put({ advance: "P1D" })).status).toBe(200);
});

test("the clock is advanced and a checkpoint restored at the same time", async () => {
  const path = "/-/sandbox/checkpoints/before_the_hour";
  expect((await asRoot("PUT", path)).status).toBe(201);
  const [advanced, restored] = await Promise.all([setClock({ advance: "PT1H" }), asRoot("POST", `${path}/restore`)]);
  expect([advanced.status, restored.status]).toEqual([200, 204]);
  await asRoot("DELETE", path);
});
