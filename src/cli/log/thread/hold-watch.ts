import type { LoopActivity } from "../../../lib/loop-activity.ts";

/** The time without a turn after which the event loop counts as blocked. */
const heldMs = 1_000;
/** The delay of the watch itself that shows that the whole process was suspended, or the clock was set. */
const lateMs = 500;
const namedMax = 10;

/** Side effects of the watch, which tests replace. */
export interface WatchTools {
  /** Returns milliseconds since 1970. */
  now(): number;
  later(action: () => void, ms: number): void;
  /** Called once for each block of the event loop. */
  warn(hold: Hold): void;
}

export interface Hold {
  /** The running operation; undefined for work without a name, such as the code after an `await`. */
  readonly operation: string | undefined;
  /** Unfinished operations. Without a running operation, one of them blocks the loop. */
  readonly under_way: readonly string[];
  /** The milliseconds so far. */
  readonly held_ms: number;
}

/** Checks from another thread whether an event loop is blocked, as rarely as it can. */
export class HoldWatch {
  readonly #activity: LoopActivity;
  readonly #tools: WatchTools;
  #dueAt: number;
  /** The last turn before the reported block. */
  #reported: number | undefined;

  constructor(activity: LoopActivity, tools: WatchTools) {
    this.#activity = activity;
    this.#tools = tools;
    this.#dueAt = tools.now();
    this.#look();
  }

  #look(): void {
    const wait = this.#waitAfter(this.#tools.now());
    this.#dueAt = this.#tools.now() + wait;
    this.#tools.later(() => this.#look(), wait);
  }

  /** Warns if the loop is blocked, and returns how long to wait until the next check. */
  #waitAfter(now: number): number {
    const beat = this.#activity.lastBeat();
    if (beat === undefined || Math.abs(now - this.#dueAt) >= lateMs) return heldMs;
    const held = now - beat;
    if (held < heldMs) return heldMs - Math.max(0, held);
    if (beat !== this.#reported) {
      this.#reported = beat;
      const under_way = this.#activity.underWay().slice(0, namedMax);
      this.#tools.warn({ operation: this.#activity.running(), under_way, held_ms: held });
    }
    return heldMs;
  }
}
