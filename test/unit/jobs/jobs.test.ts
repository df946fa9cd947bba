import { expect, test } from "bun:test";
import { dayMs } from "../../../src/domain/datetime.ts";
import { unavailable } from "../../../src/domain/failure.ts";
import { cancelJob, enqueueJob, type JobRun, jobs } from "../../../src/modules/jobs/index.ts";
import { gate, marks, openJobHouse, until } from "./house.ts";

const work = (run: (run: JobRun<unknown>) => Promise<void> | void, others: object = {}) => ({
  jobKinds: [{ kind: "work", run, ...others }],
});

test("a job runs with its payload once its transaction is on disk, and leaves nothing behind", async () => {
  const seen: unknown[] = [];
  const house = await openJobHouse(work(({ payload }) => void seen.push(payload)));
  house.disk.holdSyncs();
  const { id } = house.enqueue({ payload: { group: 7 } });
  await until(() => house.disk.heldSyncs > 0);
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  expect(seen).toEqual([]);
  house.disk.releaseSyncs();
  await house.scheduler.idle();
  expect(seen).toEqual([{ group: 7 }]);
  expect(house.job(id)).toBeUndefined();
  await house.store.close();
});

test("a job of a transaction that failed is not there", async () => {
  const seen: unknown[] = [];
  const house = await openJobHouse(work(({ payload }) => void seen.push(payload)));
  expect(() =>
    house.store.transact((tx) => {
      enqueueJob(tx, house.context, { kind: "work", payload: 1 });
      throw new Error("no");
    }),
  ).toThrow("no");
  await house.scheduler.idle();
  expect(seen).toEqual([]);
  expect(house.store.of(jobs).size).toBe(0);
  await house.store.close();
});

test("a job waits until it is due, also over a time that the machine slept", async () => {
  const seen: unknown[] = [];
  const house = await openJobHouse(work(({ payload }) => void seen.push(payload)));
  house.enqueue({ payload: "later", due_at: house.clock.time(7 * dayMs) });
  house.enqueue({ payload: "sooner", due_at: house.clock.time(1_000) });
  await house.scheduler.idle();
  expect(seen).toEqual([]);
  house.clock.advance(999);
  await house.scheduler.idle();
  expect(seen).toEqual([]);
  house.clock.advance(1);
  await house.scheduler.idle();
  expect(seen).toEqual(["sooner"]);
  house.clock.advanceDays(30);
  await house.scheduler.idle();
  expect(seen).toEqual(["sooner", "later"]);
  await house.store.close();
});

test("a job that fails is tried again later and later, and is given up after its last attempt", async () => {
  const attempts: string[] = [];
  const house = await openJobHouse(
    work(
      ({ job }) => {
        attempts.push(`${job.attempts} at ${(house.clock.now() - begin) / 1_000}`);
        throw new Error(`no luck ${job.attempts}`);
      },
      {
        maxAttempts: 4,
        gaveUp(tx: Parameters<typeof enqueueJob>[0], { payload }: { payload: string }) {
          tx.insert(marks, { id: 1, text: `without ${payload}` });
        },
      },
    ),
  );
  const begin = house.clock.now();
  const { id } = house.enqueue({ payload: "cake" });
  await house.scheduler.idle();
  expect(house.job(id)).toMatchObject({ state: "queued", attempts: 1, last_error: "Error: no luck 1" });
  for (let seconds = 0; seconds < 60; seconds += 1) {
    house.clock.advance(1_000);
    await house.scheduler.idle();
  }
  expect(attempts).toEqual(["1 at 0", "2 at 5", "3 at 15", "4 at 35"]);
  expect(house.job(id)).toMatchObject({ state: "failed", attempts: 4, last_error: "Error: no luck 4" });
  expect(house.store.of(marks).get(1)?.text).toBe("without cake");
  expect(house.logged.filter((line) => line.startsWith("a job was given up"))).toHaveLength(1);
  expect(house.logged.filter((line) => line.startsWith("a job failed and will be tried again"))).toHaveLength(3);
  await house.store.close();
});

test("a job is given up though what waited for it cannot be put right", async () => {
  const fail = () => {
    throw new Error("no");
  };
  const house = await openJobHouse(work(fail, { maxAttempts: 1, gaveUp: fail }));
  const { id } = house.enqueue({});
  await house.scheduler.idle();
  expect(house.job(id)).toMatchObject({ state: "failed", last_error: "Error: no" });
  expect(house.logged.join()).toContain("was not put right");
  await house.store.close();
});

test("of failed jobs, only the last thousand are kept", async () => {
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

test("never more jobs run at once than their kind allows, and never more than four", async () => {
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

test("a cancelled job ends at its next progress with nothing changed, and is not tried again", async () => {
  const arrived = gate();
  const cancelled = gate();
  let attempts = 0;
  const house = await openJobHouse(
    work(async ({ context, progress }) => {
      attempts += 1;
      arrived.open();
      await cancelled.opened;
      context.store.transact((tx) => {
        tx.insert(marks, { id: 1, text: "too late" });
        progress(tx, 2);
      });
    }),
  );
  const { id } = house.enqueue({});
  await arrived.opened;
  const cancel = () => house.store.transact((tx) => cancelJob(tx, house.context, id));
  expect([cancel(), cancel()]).toEqual([true, false]);
  cancelled.open();
  await house.scheduler.idle();
  house.clock.advanceDays(1);
  await house.scheduler.idle();
  expect(attempts).toBe(1);
  expect(house.store.of(marks).size).toBe(0);
  await house.store.close();
});

test("a job that completes itself is over with the transaction that says so, or not at all", async () => {
  let attempts = 0;
  const house = await openJobHouse(
    work(({ context, complete }) => {
      attempts += 1;
      context.store.transact((tx) => {
        tx.insert(marks, { id: attempts, text: "done" });
        complete(tx);
        if (attempts === 1) throw new Error("not yet");
      });
      throw new Error("after the end");
    }),
  );
  const { id } = house.enqueue({});
  await house.scheduler.idle();
  expect(house.job(id)).toMatchObject({ state: "queued", last_error: "Error: not yet" });
  expect(house.store.of(marks).size).toBe(0);
  house.clock.advance(5_000);
  await house.scheduler.idle();
  expect(house.job(id)).toBeUndefined();
  expect(house.store.of(marks).size).toBe(1);
  house.clock.advanceDays(1);
  await house.scheduler.idle();
  expect(attempts).toBe(2);
  await house.store.close();
});

test("long work lets others have their turn, and four jobs take no longer for theirs than one", async () => {
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

test("a job of a kind that nobody knows stays, and hinders nothing", async () => {
  const house = await openJobHouse(work(() => undefined));
  const { id } = house.enqueue({ kind: "unheard_of" });
  house.enqueue({});
  await house.scheduler.idle();
  expect(house.store.of(jobs).size).toBe(1);
  const again = await openJobHouse(
    work(() => undefined),
    { disk: house.disk.afterKill() },
  );
  expect(again.logged.join()).toContain('jobs of unknown kinds are left alone {"jobs":1}');
  expect(again.job(id)?.state).toBe("queued");
  await again.store.close();
});

test("an attempt that the store refused for lack of space is no attempt", async () => {
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

test("while the store takes no change, jobs neither begin nor end, and do both when it does again", async () => {
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

test("two kinds of one name are refused", async () => {
  const kind = { kind: "work", run: () => undefined };
  await expect(openJobHouse({ jobKinds: [kind, kind] })).rejects.toThrow("one name");
  await expect(openJobHouse({ jobKinds: [{ ...kind, kind: "a b" }] })).rejects.toThrow("no name");
});
