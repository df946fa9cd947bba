import { expect, test } from "bun:test";
import { enqueueJob, type JobRun } from "../../../src/modules/core/background-jobs/index.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const seen: unknown[] = [];
const world = await startWorld(
  {},
  {
    jobKinds: [
      { kind: "good", run: ({ payload }: JobRun<unknown>) => void seen.push(payload) },
      {
        kind: "bad",
        maxAttempts: 2,
        run() {
          throw new Error("out of luck");
        },
      },
    ],
    periodicWork: [{ name: "daily", schedule: { cron: "0 0 * * *" }, run: () => void seen.push("a new day") }],
  },
);
const enqueue = (kind: string, payload: unknown, due_at = world.clock.time()) =>
  world.store.transact((tx) => enqueueJob(tx, world, { kind, payload, due_at }));

test("an administrator reads waiting and failed jobs, newest first; finished ones are deleted", async () => {
  enqueue("good", 1);
  const failing = enqueue("bad", { secret: "of the kind" });
  const later = enqueue("good", 2, world.clock.time(3_600_000));
  await world.jobsDone();
  expect(seen).toEqual([1]);
  const waiting = await world.get("/-/jobs");
  expect(waiting.body).toEqual([
    {
      id: later.id,
      kind: "good",
      state: "queued",
      due_at: world.clock.time(3_600_000),
      attempts: 0,
      last_error: null,
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
    },
    {
      id: failing.id,
      kind: "bad",
      state: "queued",
      due_at: world.clock.time(5_000),
      attempts: 1,
      last_error: "Error: out of luck",
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
    },
  ]);
  world.clock.advance(5_000);
  await world.jobsDone();
  const failed = await world.get("/-/jobs", { query: { state: "failed" } });
  expect(failed.body).toMatchObject([{ id: failing.id, state: "failed", attempts: 2 }]);
  expect(world.logged.some((line) => line.startsWith("a job was given up"))).toBe(true);
});

test("the list has offset pages", async () => {
  for (let i = 0; i < 4; i += 1) enqueue("good", i, world.clock.time(3_600_000));
  const { body, headers } = await world.get("/-/jobs", { query: { state: "queued", per_page: 2, page: 2 } });
  expect(body).toHaveLength(2);
  expect([headers.get("x-total"), headers.get("x-page"), headers.get("x-next-page")]).toEqual(["5", "2", "3"]);
  expect(headers.get("link")).toContain(`${world.origin}/-/jobs?`);
  const all = (await world.get("/-/jobs")).body.map(({ id }: { id: number }) => id);
  expect(all).toEqual(all.toSorted((a: number, b: number) => b - a));
});

test("an unknown state is refused", async () => {
  const { status, body } = await world.get("/-/jobs", { query: { state: "done" } });
  expect({ status, error: body.error }).toEqual({ status: 400, error: "state does not have a valid value" });
});

test("a failed job is started again, or forgotten; no other is", async () => {
  const [failed] = (await world.get("/-/jobs", { query: { state: "failed" } })).body;
  const [queued] = (await world.get("/-/jobs", { query: { state: "queued" } })).body;
  const act = (method: string, path: string) => world.call(method, `/-/jobs/${path}`, { token: rootToken });
  for (const [method, end] of [
    ["POST", "/retry"],
    ["DELETE", ""],
  ] as const) {
    const refused = await act(method, `${queued.id}${end}`);
    const message = "400 Bad request - the job is queued, and has not failed";
    expect([refused.status, refused.body]).toEqual([400, { message }]);
    expect((await act(method, `4711${end}`)).body).toEqual({ message: "404 Job Not Found" });
  }
  const { status, body } = await act("POST", `${failed.id}/retry`);
  expect([status, body]).toEqual([
    200,
    { ...failed, state: "queued", attempts: 0, due_at: world.clock.time(), updated_at: world.clock.time() },
  ]);
  await world.jobsDone();
  world.clock.advance(5_000);
  await world.jobsDone();
  expect((await world.get("/-/jobs", { query: { state: "failed" } })).body).toMatchObject([
    { id: failed.id, attempts: 2 },
  ]);
  expect((await act("DELETE", String(failed.id))).status).toBe(204);
  expect((await world.get("/-/jobs", { query: { state: "failed" } })).body).toEqual([]);
  enqueue("bad", {});
  await world.jobsDone();
  world.clock.advance(5_000);
  await world.jobsDone();
});

test("metrics count jobs by kind and state", async () => {
  const { text } = await world.call("GET", "/-/metrics", { token: rootToken });
  expect(text).toContain('outpost_jobs{kind="good",state="queued"} 5');
  expect(text).toContain('outpost_jobs{kind="good",state="running"} 0');
  expect(text).toContain('outpost_jobs{kind="bad",state="failed"} 1');
});

test("jobs and periodic work use the clock of the test", async () => {
  seen.length = 0;
  world.clock.advanceDays(1);
  await world.jobsDone();
  expect(seen.map(String).sort()).toEqual(["0", "1", "2", "2", "3", "a new day"]);
});
