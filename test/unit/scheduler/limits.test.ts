import { expect, test } from "bun:test";
import { unavailable } from "../../../src/domain/failure.ts";
import { type DateTime, toDateTime } from "../../../src/lib/datetime.ts";
import { enqueueJob, type JobRun } from "../../../src/modules/core/background-jobs/index.ts";
import { jobs } from "../../../src/modules/core/background-jobs/records.ts";
import { gate, openJobHouse, until, work } from "./house.ts";

test("only the last thousand failed jobs are stored", async () => {
  const fail = () => {
    throw new Error("no");
  };
  const house = await openJobHouse(work(fail, { maxAttempts: 1, concurrency: 4 }));
  house.store.transact((tx) => {
    for (let i = 0; i < 1_003; i += 1) enqueueJob(tx, house.context, { kind: "work", payload: i });
  });
  await house.scheduler.idle();
  expect(house.store.of(jobs).size).toBe(1_000);
  expect([1, 2, 3, 4].map((id) => house.job(id) !== undefined)).toEqual([false, false, false, true]);
  await house.store.close();
});

test("users take turns where the kind says so, also while some of their jobs are not due", async () => {
  const order: unknown[] = [];
  const note = ({ payload }: JobRun<unknown>) => void order.push(payload);
  const house = await openJobHouse(work(note, { takesTurns: true }));
  const later = toDateTime(house.clock.now() + 60_000);
  house.store.transact((tx) => {
    const add = (user_id: number, due_at?: DateTime) =>
      enqueueJob(tx, house.context, {
        kind: "work",
        payload: user_id,
        user_id,
        ...(due_at === undefined ? {} : { due_at }),
      });
    for (let count = 0; count < 4; count += 1) add(2);
    add(3, later);
    for (const user of [1, 3, 7]) add(user);
  });
  await house.scheduler.idle();
  expect(order).toEqual([1, 2, 3, 7, 2, 2, 2]);
  house.clock.advance(60_000);
  await house.scheduler.idle();
  expect(order.slice(7)).toEqual([3]);
  await house.store.close();
});

test("at most as many jobs run at once as their kind allows, and at most four", async () => {
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  let all = 0;
  let mostOfAll = 0;
  const order: number[] = [];
  const kindOf = (kind: string, concurrency?: number) => ({
    kind,
    ...(concurrency === undefined ? {} : { concurrency }),
    async run({ job }: JobRun<unknown>) {
      if (kind === "one") order.push(job.id);
      running.set(kind, (running.get(kind) ?? 0) + 1);
      all += 1;
      most.set(kind, Math.max(most.get(kind) ?? 0, running.get(kind) ?? 0));
      mostOfAll = Math.max(mostOfAll, all);
      for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
      running.set(kind, (running.get(kind) ?? 0) - 1);
      all -= 1;
    },
  });
  const house = await openJobHouse({ jobKinds: [kindOf("one"), kindOf("three", 3), kindOf("nine", 9)] });
  for (let i = 0; i < 12; i += 1) for (const kind of ["one", "three", "nine"]) house.enqueue({ kind });
  await house.scheduler.idle();
  expect(house.store.of(jobs).size).toBe(0);
  expect(most.get("one")).toBe(1);
  expect(most.get("three")).toBeLessThanOrEqual(3);
  expect(most.get("nine")).toBeLessThanOrEqual(4);
  expect(mostOfAll).toBe(4);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  await house.store.close();
});

test("long work pauses for requests, and four jobs take no longer turns than one", async () => {
  let steps = 0;
  const stepsBetween: number[] = [];
  const spin = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  const house = await openJobHouse(
    work(
      async ({ pace }) => {
        for (let i = 0; i < 10; i += 1) {
          spin(2);
          steps += 1;
          await pace();
        }
      },
      { concurrency: 4 },
    ),
  );
  for (let i = 0; i < 4; i += 1) house.enqueue({});
  const idle = house.scheduler.idle();
  for (let last = 0; steps < 40; last = steps) {
    await new Promise(setImmediate);
    stepsBetween.push(steps - last);
  }
  await idle;
  expect(Math.max(...stepsBetween)).toBeLessThanOrEqual(2);
  await house.store.close();
});

test("an attempt that the store refused for lack of space does not count", async () => {
  let attempts = 0;
  const house = await openJobHouse(
    work(
      () => {
        attempts += 1;
        if (attempts < 4) throw unavailable();
      },
      { maxAttempts: 1 },
    ),
  );
  const { id } = house.enqueue({});
  for (let i = 0; i < 3; i += 1) {
    await house.scheduler.idle();
    expect(house.job(id)).toMatchObject({ state: "queued", attempts: 0 });
    house.clock.advance(5_000);
  }
  await house.scheduler.idle();
  expect(house.job(id)).toBeUndefined();
  await house.store.close();
});

test("while the store takes no change, jobs neither begin nor end, and continue when it does", async () => {
  const reached = gate();
  const released = gate();
  let begun = 0;
  const house = await openJobHouse(
    work(async () => {
      begun += 1;
      reached.open();
      await released.opened;
    }),
  );
  const transact = house.store.transact.bind(house.store);
  let refusals = 0;
  const refuse = () => {
    refusals += 1;
    throw unavailable();
  };
  const first = house.enqueue({});
  const second = house.enqueue({ due_at: house.clock.time(1_000) });
  await reached.opened;
  house.store.transact = refuse;
  released.open();
  await until(() => refusals === 1);
  house.clock.advance(5_000);
  await until(() => refusals === 2);
  expect([house.job(first.id)?.state, house.job(second.id)?.state]).toEqual(["running", "queued"]);
  house.store.transact = transact;
  house.clock.advance(5_000);
  await until(() => house.job(first.id) === undefined);
  house.store.transact = refuse;
  const third = transact((tx) => enqueueJob(tx, house.context, { kind: "work", payload: 3 }));
  const idle = house.scheduler.idle();
  house.store.transact = transact;
  house.clock.advance(5_000);
  await idle;
  expect([begun, house.job(second.id), house.job(third.id)]).toEqual([3, undefined, undefined]);
  await house.store.close();
});
