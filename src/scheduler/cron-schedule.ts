import { dayMs } from "../lib/datetime.ts";
import { nameOfPeriodicWork } from "../lib/loop-activity.ts";
import { backOffMs, type CronJob, type LongWork, type Schedule } from "../modules/core/background-jobs/index.ts";
import type { Context } from "../modules/kernel/context.ts";
import { Alarm } from "./alarm.ts";

/** Returns the next time after a point in time; undefined when there is none. */
type NextTime = (from: number) => number | undefined;

interface Entry {
  readonly work: CronJob;
  readonly nextTime: NextTime;
  next: number | undefined;
  failures: number;
  run: Promise<void> | undefined;
}

/**
 * The periodic work, by the clock of the context. Each runs at most once at a time, and only once for several missed times.
 */
export class CronTable {
  readonly #context: Context;
  readonly #tools: LongWork;
  readonly #onEnd: () => void;
  readonly #entries: readonly Entry[];
  readonly #alarm: Alarm;
  #ended = 0;
  #era: number | undefined;

  /** Throws for an invalid cron pattern. Calls `onEnd` after each run. */
  constructor(work: readonly CronJob[], tools: LongWork, onEnd: () => void) {
    this.#context = tools.context;
    this.#tools = tools;
    this.#onEnd = onEnd;
    this.#entries = work.flatMap((each) => {
      const schedule = typeof each.schedule === "function" ? each.schedule(tools.context) : each.schedule;
      if (schedule === undefined) return [];
      return [{ work: each, nextTime: nextTimeOf(schedule), next: undefined, failures: 0, run: undefined }];
    });
    this.#alarm = new Alarm(this.#context.clock, () => this.#look());
  }

  start(): void {
    this.#context.clock.onBack?.(() => this.#look());
    this.#era = this.#context.clock.era;
    const now = this.#context.clock.now();
    for (const entry of this.#entries) entry.next = entry.work.atStart === true ? now : entry.nextTime(now);
    this.#look();
  }

  /** The current runs. They end when the signal of `tools` is aborted. */
  get runs(): readonly Promise<void>[] {
    return this.#entries.flatMap(({ run }) => run ?? []);
  }

  /** The names of the current runs. */
  get running(): readonly string[] {
    return this.#entries.filter(({ run }) => run !== undefined).map(({ work }) => work.name);
  }

  /** The number of finished runs. */
  get ended(): number {
    return this.#ended;
  }

  /** The time of the next run; undefined for never. */
  get nextDue(): number | undefined {
    const times = this.#entries.flatMap(({ run, next }) => (run === undefined && next !== undefined ? [next] : []));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  stop(): void {
    this.#alarm.set(undefined);
  }

  #look(): void {
    if (this.#tools.signal.aborted) return;
    const closed = this.#context.sandbox?.gate.closed;
    if (closed !== undefined) return void closed.then(() => this.#look());
    const { clock } = this.#context;
    const now = clock.now();
    if (clock.era !== this.#era) {
      this.#era = clock.era;
      for (const entry of this.#entries) entry.next = entry.nextTime(now);
    }
    for (const entry of this.#entries) {
      if (entry.run === undefined && entry.next !== undefined && entry.next <= now) this.#begin(entry);
    }
    this.#alarm.set(this.nextDue);
  }

  #begin(entry: Entry): void {
    const { activity } = this.#context;
    const leave = this.#context.sandbox?.gate.enter();
    entry.run = this.#run(entry).finally(leave);
    activity.follow(activity.numberOf(nameOfPeriodicWork(entry.work.name)), entry.run);
  }

  async #run(entry: Entry): Promise<void> {
    const { clock, log } = this.#context;
    const { name, run } = entry.work;
    try {
      await this.#tools.pace();
      await run(this.#tools);
      entry.failures = 0;
    } catch (error) {
      if (!this.#tools.signal.aborted) {
        entry.failures += 1;
        log.error({ work: name, failures: entry.failures, error: String(error) }, "periodic work failed");
      }
    }
    const next = entry.nextTime(clock.now());
    const again = entry.failures === 0 ? undefined : clock.now() + backOffMs(entry.failures);
    entry.next = again === undefined || (next !== undefined && next < again) ? next : again;
    entry.run = undefined;
    this.#ended += 1;
    this.#look();
    this.#onEnd();
  }
}

/**
 * Returns the function for the next time. Loads the library only for a pattern. Uses an offset instead of the zone UTC,
 * which would load all time zones in 7 ms.
 */
export function nextTimeOf(schedule: Schedule): NextTime {
  if ("everyMs" in schedule) return (from) => from + schedule.everyMs;
  if ("dailyAtMs" in schedule) {
    const { dailyAtMs } = schedule;
    return (from) => (Math.floor((from - dailyAtMs) / dayMs) + 1) * dayMs + dailyAtMs;
  }
  const { Cron } = require("croner") as typeof import("croner");
  const cron = new Cron(schedule.cron, { utcOffset: 0 });
  return (from) => cron.nextRun(new Date(from))?.getTime();
}
