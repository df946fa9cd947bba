import { expect, test } from "bun:test";
import { type JobRun, jobKind } from "../../../src/modules/core/background-jobs/index.ts";
import { jobs } from "../../../src/modules/core/background-jobs/records.ts";
import type { SimulatedDisk } from "../../support/disk/simulated-disk.ts";
import { gate, marks, openJobHouse, until } from "./house.ts";

const stepCount = 8;

interface Steps {
  readonly done: number;
}

/** Leaves a mark a step, and the last one together with its end. The store refuses a mark that is there already. */
function stepping(onStep: (run: JobRun<Steps>, step: number) => Promise<void> | void = () => undefined) {
  const kind = jobKind<Steps>({
    kind: "work",
    async run(run) {
      const { context, payload, progress, complete, pace } = run;
      for (let step = payload.done + 1; step <= stepCount; step += 1) {
        context.store.transact((tx) => {
          tx.insert(marks, { id: step, text: `step ${step}` });
          if (step < stepCount) progress(tx, { done: step });
          else complete(tx);
        });
        await onStep(run, step);
        await pace();
      }
    },
  });
  return { jobKinds: [kind] };
}

const newJob = { payload: { done: 0 } };

test("a job that ran when the process was killed continues from its own progress", async () => {
  const reached = gate();
  const never = gate();
  const killed = await openJobHouse(
    stepping(async ({ context }, step) => {
      if (step !== 3) return;
      await context.store.settled();
      reached.open();
      await never.opened;
    }),
  );
  const { id } = killed.enqueue(newJob);
  await reached.opened;
  const began: Steps[] = [];
  const next = await openJobHouse(
    stepping(({ payload }) => void began.push(payload)),
    { disk: killed.disk.afterKill() },
  );
  expect(next.logged.join()).toContain("the process ended during the attempt");
  await next.scheduler.idle();
  expect(began[0]).toEqual({ done: 3 });
  expect(next.store.of(marks).size).toBe(stepCount);
  expect(next.job(id)).toBeUndefined();
  await next.store.close();
});

test("after any kill or power loss, every step is done once and the end is recorded once", async () => {
  const disks: SimulatedDisk[] = [];
  const house = await openJobHouse(stepping());
  const snap = () => {
    disks.push(house.disk.afterKill());
    for (let seed = 1; seed <= 3; seed += 1) disks.push(house.disk.afterPowerLoss(disks.length));
  };
  house.store.watch(marks, snap);
  house.store.watch(jobs, snap);
  house.enqueue(newJob);
  await house.store.settled();
  disks.length = 0;
  snap();
  await until(() => {
    snap();
    return house.store.of(jobs).size === 0 && house.store.settled() === undefined;
  });
  snap();
  expect(disks.length).toBeGreaterThan(60);
  for (const disk of disks) {
    const next = await openJobHouse(stepping(), { disk });
    await next.scheduler.idle();
    expect(next.store.of(marks).size).toBe(stepCount);
    expect(next.store.of(jobs).size).toBe(0);
    expect(next.logged.filter((line) => line.includes("exists"))).toEqual([]);
    await next.store.close();
  }
  await house.store.close();
}, 600_000);

test("a job that kills the process each time is given up", async () => {
  const dies = () => ({ jobKinds: [{ kind: "work", maxAttempts: 3, run: () => gate().opened }] });
  let house = await openJobHouse(dies());
  const { id } = house.enqueue({});
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await until(() => house.store.settled() === undefined && house.job(id)?.attempts === attempt);
    expect(house.job(id)?.state).toBe("running");
    house = await openJobHouse(dies(), { disk: house.disk.afterKill() });
  }
  await house.scheduler.idle();
  expect(house.job(id)).toMatchObject({ state: "failed", last_error: "the process ended during the attempt" });
  await house.store.close();
});

test("a stop lets a job finish its step, counts no attempt, and the next start continues", async () => {
  const stopped = await openJobHouse(
    stepping((_, step) => {
      if (step === 4) void stopped.scheduler.stop(60_000);
    }),
  );
  const { id } = stopped.enqueue(newJob);
  await until(() => stopped.store.of(marks).size === 4 && stopped.job(id)?.state === "queued");
  expect(stopped.job(id)).toMatchObject({ attempts: 0, last_error: null, payload: { done: 4 } });
  stopped.enqueue(newJob);
  await stopped.store.close();
  const next = await openJobHouse(stepping(), { disk: stopped.disk });
  await until(() => next.job(id) === undefined);
  expect(next.store.of(marks).size).toBe(stepCount);
  await next.scheduler.stop(60_000);
  await next.store.close();
});

test("a stop waits for a job until its budget is spent, and later steps of the job change nothing", async () => {
  const reached = gate();
  const released = gate();
  const house = await openJobHouse(
    stepping(async (_, step) => {
      if (step !== 2) return;
      reached.open();
      await released.opened;
    }),
  );
  const { id } = house.enqueue(newJob);
  await reached.opened;
  await house.scheduler.stop(1);
  expect(house.logged.join()).toContain("jobs did not end in time");
  await house.store.close();
  released.open();
  await until(() => house.logged.join().includes("the result of a job was not recorded"));
  const next = await openJobHouse(stepping(), { disk: house.disk });
  expect(next.job(id)?.payload).toEqual({ done: 2 });
  await next.scheduler.idle();
  expect(next.store.of(marks).size).toBe(stepCount);
  await next.store.close();
});
