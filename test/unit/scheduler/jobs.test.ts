import { expect, test } from "bun:test";
import { dayMs } from "../../../src/lib/datetime.ts";
import { cancelJob, enqueueJob } from "../../../src/modules/core/background-jobs/index.ts";
import { jobs } from "../../../src/modules/core/background-jobs/records.ts";
import { gate, marks, openJobHouse, until, work } from "./house.ts";

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

test("a job of a failed transaction does not exist", async () => {
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

test("a job waits until it is due, also after the machine slept", async () => {
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

test("a job is given up although its correction fails", async () => {
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

test("a cancelled job ends at its next progress without a change, and is not tried again", async () => {
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

test("a job that completes itself ends with that transaction, or not at all", async () => {
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

test("a job of an unknown kind stays, and blocks nothing", async () => {
  const house = await openJobHouse(work(() => undefined));
  const { id } = house.enqueue({ kind: "unheard_of" });
  house.enqueue({});
  await house.scheduler.idle();
  expect(house.store.of(jobs).size).toBe(1);
  const again = await openJobHouse(
    work(() => undefined),
    { disk: house.disk.afterKill() },
  );
  expect(again.logged.join()).toContain('jobs of unknown kinds are ignored {"jobs":1}');
  expect(again.job(id)?.state).toBe("queued");
  await again.store.close();
});

test("two kinds of one name are refused", async () => {
  const kind = { kind: "work", run: () => undefined };
  await expect(openJobHouse({ jobKinds: [kind, kind] })).rejects.toThrow("the same name");
  await expect(openJobHouse({ jobKinds: [{ ...kind, kind: "a b" }] })).rejects.toThrow("not a valid name");
});
