/** The queue of runners whose request for a job is held. */

import type { Clock } from "../../../domain/clock.ts";
import { yieldToOthers } from "../../../lib/yield.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { ciJobs } from "../pipelines/records-jobs.ts";
import { type RunnerRecord, runners } from "../runners/records.ts";

/** The most waiting requests. Others get an answer at once: the limit of open requests is shared with all clients. */
const waitingMax = 1_000;

/** Notifies waiting runners that there may be a job for them: whenever one becomes pending, or a runner is changed. */
export class JobNotifier {
  readonly #clock: Clock;
  readonly #process: string;
  /** Runners that looked in vain since the last notification: the other machines of one need not look. */
  readonly inVain = new Set<number>();
  readonly #waiting = new Set<() => void>();
  /** The number of waiting requests of each owner. */
  readonly #waitingOf = new Map<number, number>();
  #version = 0;
  #isNotifying = false;
  #isClosed = false;

  constructor({ store, clock, processToken, sandbox }: Pick<Context, "store" | "clock" | "processToken" | "sandbox">) {
    // How long a connection may wait follows the system's clock.
    this.#clock = sandbox?.clock.real ?? clock;
    this.#process = processToken;
    sandbox?.gate.onClosing(() => this.#endAll());
    store.watch(ciJobs, (before, after) => {
      if (after?.status === "pending" && before?.status !== "pending") this.notify();
    });
    store.watch(runners, (before, after) => {
      if (after !== undefined && hasChanged(before, after)) this.notify();
    });
  }

  /** The version of the queue that runners send back: `X-GitLab-Last-Update`. */
  get lastUpdate(): string {
    return `${this.#process}${this.#version}`;
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Whether another request of an owner may wait: while fewer of its own wait than places are free, so that no owner takes
   * the places of all, and not once the server stops.
   */
  isOpenTo(owner: number): boolean {
    return !this.#isClosed && (this.#waitingOf.get(owner) ?? 0) < waitingMax - this.#waiting.size;
  }

  /** Resolves with the next notification, after `ms`, when `gone` is aborted, or when the server stops. */
  next(owner: number, ms: number, gone: AbortSignal): Promise<void> {
    if (this.#isClosed || gone.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        takeBack();
        gone.removeEventListener("abort", end);
        if (this.#waiting.delete(end)) this.#count(owner, -1);
        resolve();
      };
      const takeBack = this.#clock.after(ms, end);
      gone.addEventListener("abort", end);
      this.#waiting.add(end);
      this.#count(owner, 1);
    });
  }

  #count(owner: number, more: number): void {
    const count = (this.#waitingOf.get(owner) ?? 0) + more;
    if (count === 0) this.#waitingOf.delete(owner);
    else this.#waitingOf.set(owner, count);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends all waiting requests. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
  }

  #endAll(): void {
    for (const end of [...this.#waiting]) end();
  }

  /** Lets waiting runners look again, after the transaction that calls this. */
  notify(): void {
    this.#version += 1;
    this.inVain.clear();
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => void this.#wake());
  }

  /** Wakes requests in the order of their arrival, with pauses: each looks through the lines of jobs. */
  async #wake(): Promise<void> {
    for (let notified = -1; notified !== this.#version; ) {
      notified = this.#version;
      for (const end of [...this.#waiting]) {
        end();
        await yieldToOthers();
      }
    }
    this.#isNotifying = false;
  }
}

/** Notifies waiting runners of jobs. */
export const RunnerQueue = serviceKey("runner-queue", (context) => new JobNotifier(context));

/** Whether the runner changed; a new time of contact is no change. */
function hasChanged(before: RunnerRecord | undefined, after: RunnerRecord): boolean {
  return before === undefined || before.updated_at !== after.updated_at || before.paused !== after.paused;
}
