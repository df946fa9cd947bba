import { withoutBudget } from "../domain/work-budget.ts";
import { type DateTime, toDateTime } from "../lib/datetime.ts";
import { nameOfJob } from "../lib/loop-activity.ts";
import {
  type CronJob,
  countJobs,
  findFirstQueued,
  findNextQueued,
  type JobKind,
  type LongWork,
  listRunningJobs,
  startJob,
} from "../modules/core/background-jobs/index.ts";
import { type JobRecord, jobs } from "../modules/core/background-jobs/records.ts";
import type { Context } from "../modules/kernel/context.ts";
import { Alarm } from "./alarm.ts";
import { attempt, isRefusal, recordAttempt, refusedWaitMs, resumeAfterCrash } from "./attempt.ts";
import { CronTable } from "./cron-schedule.ts";
import { TimeSlicer } from "./time-slicer.ts";

/** The background jobs and the periodic work. */
export interface Work {
  readonly jobKinds: readonly JobKind[];
  readonly periodicWork: readonly CronJob[];
}

/** The most concurrent jobs. */
const runsMax = 4;

interface Run {
  readonly kind: JobKind;
  readonly ended: Promise<void>;
}

/** Runs due jobs and periodic work. It watches the collection for new jobs, and sets an alarm for the next due one. */
export class Scheduler {
  readonly #context: Context;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #runs = new Map<number, Run>();
  /** The user of the last started job, per kind of job in which users take turns. */
  readonly #lastUsers = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #tools: LongWork;
  readonly #timetable: CronTable;
  readonly #alarm: Alarm;
  readonly #waitingForIdle: (() => void)[] = [];
  #isStarted = false;
  #endedRuns = 0;
  #isResumed = false;
  #isLookPlanned = false;
  #isRefused = false;

  constructor(context: Context, { jobKinds, periodicWork }: Work) {
    this.#context = context;
    this.#kinds = new Map(jobKinds.map((kind) => [kind.kind, kind]));
    if (this.#kinds.size < jobKinds.length) throw new Error("two kinds of jobs have the same name");
    const wrong = jobKinds.find(({ kind }) => !/^\w+$/.test(kind));
    if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong.kind)} is not a valid name for a kind of job`);
    const slicer = new TimeSlicer();
    const { signal } = this.#stopping;
    const pace = () => {
      signal.throwIfAborted();
      return slicer.next()?.then(() => signal.throwIfAborted());
    };
    this.#tools = { context, signal, pace };
    this.#timetable = new CronTable(periodicWork, this.#tools, () => this.#look());
    this.#alarm = new Alarm(context.clock, () => this.#look());
  }

  /** Resumes the jobs of an earlier process, and starts what is due. */
  start(): void {
    const { store, log } = this.#context;
    this.#isStarted = true;
    store.watch(jobs, () => this.#planLook());
    const known = countJobs(store, [...this.#kinds.values()]).reduce((sum, { count }) => sum + count, 0);
    const unknown = store.of(jobs).size - known;
    // A version that knows the kind may run them later.
    if (unknown > 0) log.warn({ jobs: unknown }, "jobs of unknown kinds are ignored");
    this.#look();
    this.#timetable.start();
  }

  /** Resolves when no job is due, nothing runs, and all results are on disk. */
  async idle(): Promise<void> {
    this.#look();
    if (this.#isBusy()) await new Promise<void>((resolve) => this.#waitingForIdle.push(resolve));
    await this.#context.store.settled();
  }

  /** Returns when the next job or periodic work is due, in milliseconds since 1970; undefined for never. */
  nextDue(): number | undefined {
    const queued = this.#nextQueued(toDateTime(this.#context.clock.now()));
    const times = [queued === undefined ? undefined : Date.parse(queued.job.due_at), this.#timetable.nextDue];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** The number of finished jobs and periodic work since the start. */
  get ended(): number {
    return this.#endedRuns + this.#timetable.ended;
  }

  /** The names of the running jobs and periodic work. */
  get running(): readonly string[] {
    return [...[...this.#runs.values()].map(({ kind }) => kind.kind), ...this.#timetable.running];
  }

  /**
   * Starts no more work, and stops the current work at its next step. Stops waiting after the budget: the closed store
   * accepts no changes of the rest, and the next start runs it again.
   */
  async stop(budgetMs: number): Promise<void> {
    this.#stopping.abort(new Error("the server stops"));
    this.#alarm.set(undefined);
    this.#timetable.stop();
    const ended = Promise.all([...[...this.#runs.values()].map((run) => run.ended), ...this.#timetable.runs]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const budget = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, budgetMs);
    });
    await Promise.race([ended, budget]);
    clearTimeout(timer);
    if (this.#runs.size > 0) {
      this.#context.log.warn(
        { jobs: [...this.#runs.keys()] },
        "jobs did not end in time; the next start runs them again",
      );
    }
  }

  /** Plans a check for due jobs after the current transaction. */
  #planLook(): void {
    if (this.#isLookPlanned) return;
    this.#isLookPlanned = true;
    queueMicrotask(() => {
      this.#isLookPlanned = false;
      withoutBudget(() => this.#look());
    });
  }

  #look(): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    const closed = this.#context.sandbox?.gate.closed;
    if (closed !== undefined) return void closed.then(() => this.#look());
    try {
      this.#resume();
      this.#isRefused = false;
      this.#alarm.set(this.#beginDue());
    } catch (error) {
      this.#isRefused = true;
      if (!isRefusal(error)) this.#context.log.error({ error: String(error) }, "jobs could not be started");
      this.#alarm.set(this.#context.clock.now() + refusedWaitMs);
    }
    if (!this.#isBusy()) for (const resolve of this.#waitingForIdle.splice(0)) resolve();
  }

  #isBusy(): boolean {
    return this.#runs.size > 0 || this.#timetable.runs.length > 0 || this.#isRefused;
  }

  #resume(): void {
    if (this.#isResumed) return;
    for (const job of listRunningJobs(this.#context.store)) {
      resumeAfterCrash(this.#context, this.#kinds.get(job.kind), job);
    }
    this.#isResumed = true;
  }

  /** Starts due work, the longest due first, while there is room. Returns the time of the next check. */
  #beginDue(): number | undefined {
    const now = toDateTime(this.#context.clock.now());
    while (this.#runs.size < runsMax) {
      const next = this.#nextQueued(now);
      if (next === undefined) return undefined;
      if (next.job.due_at > now) return Date.parse(next.job.due_at);
      this.#begin(next.kind, next.job);
    }
    return undefined;
  }

  #nextQueued(now: DateTime): { kind: JobKind; job: JobRecord } | undefined {
    const running = [...this.#runs.values()];
    let next: { kind: JobKind; job: JobRecord } | undefined;
    for (const kind of this.#kinds.values()) {
      if (running.filter((run) => run.kind === kind).length >= (kind.concurrency ?? 1)) continue;
      const job = this.#firstOf(kind, now);
      if (job === undefined) continue;
      if (next === undefined || job.due_at < next.job.due_at) next = { kind, job };
    }
    return next;
  }

  #firstOf({ kind, takesTurns }: JobKind, now: DateTime): JobRecord | undefined {
    const { store } = this.#context;
    return takesTurns === true
      ? findNextQueued(store, kind, this.#lastUsers.get(kind) ?? 0, now)
      : findFirstQueued(store, kind);
  }

  #begin(kind: JobKind, queued: JobRecord): void {
    if (kind.takesTurns === true) this.#lastUsers.set(kind.kind, queued.user_id ?? 0);
    const job = this.#context.store.transact((tx) => startJob(tx, this.#context, queued));
    const leave = this.#context.sandbox?.gate.enter();
    const ended = this.#run(kind, job).finally(leave);
    this.#runs.set(job.id, { kind, ended });
    const { activity } = this.#context;
    activity.follow(activity.numberOf(nameOfJob(kind.kind)), ended);
  }

  async #run(kind: JobKind, job: JobRecord): Promise<void> {
    const { log } = this.#context;
    try {
      const end = await attempt(kind, job, this.#tools);
      await this.#retryWhileRefused(() => recordAttempt(this.#context, kind, job, end));
    } catch (error) {
      const fields = { job: job.id, kind: kind.kind, error: String(error) };
      log.warn(fields, "the result of a job was not recorded; the next start runs it again");
    } finally {
      this.#runs.delete(job.id);
      this.#endedRuns += 1;
      this.#look();
    }
  }

  /** Repeats a change while the store refuses it. */
  async #retryWhileRefused(change: () => void): Promise<void> {
    const { clock } = this.#context;
    const { signal } = this.#tools;
    for (;;) {
      try {
        change();
        return;
      } catch (error) {
        if (!isRefusal(error) || signal.aborted) throw error;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(refusedWaitMs, done);
          function done() {
            cancel();
            signal.removeEventListener("abort", done);
            resolve();
          }
          signal.addEventListener("abort", done);
        });
      }
    }
  }
}
