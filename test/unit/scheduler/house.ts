import { silentLog } from "../../../src/lib/log.ts";
import { LoopActivity } from "../../../src/lib/loop-activity.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { enqueueJob, type JobRun, type NewJob } from "../../../src/modules/core/background-jobs/index.ts";
import { type JobRecord, jobs } from "../../../src/modules/core/background-jobs/records.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { Scheduler, type Work } from "../../../src/scheduler/scheduler.ts";
import { collection, field, record, Store, unique } from "../../../src/store/index.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";
import { FakeClock } from "../../support/fixtures/fake-clock.ts";

/** The record that jobs of the tests write: the same text twice is refused. */
const Mark = record({
  id: field.whole,
  text: field.text,
});

export const marks = collection("marks", Mark, { indexes: { text: unique((mark) => mark.text) } });

/** The one kind of job that most tests need. */
export const work = (run: (run: JobRun<unknown>) => Promise<void> | void, others: object = {}) => ({
  jobKinds: [{ kind: "work", run, ...others }],
});

/** A store on a simulated disk with a scheduler that has been started. */
export interface JobHouse {
  readonly context: Context;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly disk: SimulatedDisk;
  readonly scheduler: Scheduler;
  readonly logged: readonly string[];
  enqueue(job: Partial<NewJob>): JobRecord;
  job(id: number): JobRecord | undefined;
}

export async function openJobHouse(
  work: Partial<Work>,
  { disk = new SimulatedDisk(), clock = new FakeClock() } = {},
): Promise<JobHouse> {
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const store = await Store.open({
    folder: "/data",
    collections: [jobs, marks],
    clock,
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    onDiskFailure: (error) => {
      throw error;
    },
  });
  const log = { debug: note, info: note, warn: note, error: note };
  const activity = new LoopActivity();
  const context = { store, clock, log, activity } as unknown as Context;
  const scheduler = new Scheduler(context, { jobKinds: [], periodicWork: [], ...work });
  scheduler.start();
  return {
    context,
    store,
    clock,
    disk,
    scheduler,
    logged,
    enqueue: (job) => store.transact((tx) => enqueueJob(tx, context, { kind: "work", payload: {}, ...job })),
    job: (id) => store.of(jobs).get(id),
  };
}

/** A door that opens once. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Lets everything go on that needs no clock, until `isTrue`. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let turns = 0; !isTrue(); turns += 1) {
    if (turns > 10_000) throw new Error("it never came true");
    await new Promise(setImmediate);
  }
}
