import type { LoopActivity } from "../../../lib/loop-activity.ts";

/** From so long without a turn on, the event loop counts as held. */
const heldMs = 1_000;
/** A watch that itself looks this late was held, too: the whole process stood still, or the clock was set. */
const lateMs = 500;
const namedMax = 10;

/** Side effects of the watch; tests bring their own. */
export interface WatchTools {
  /** Milliseconds since 1970. */
  now(): number;
  later(action: () => void, ms: number): void;
  /** The loop is held; called once for each hold. */
  warn(hold: Hold): void;
}

export interface Hold {
  /** The running operation; undefined for work without a name, such as the part after a wait. */
  readonly operation: string | undefined;
  /** Operations that began and are not done. Without a running operation, one of them holds the loop. */
  readonly under_way: readonly string[];
  /** So far. */
  readonly held_ms: number;
}

/** Looks from another thread whether an event loop turns, as rarely as it can. */
export class HoldWatch {
  readonly #activity: LoopActivity;
  readonly #tools: WatchTools;
  #dueAt: number;
  /** The last turn before the hold that was reported. */
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

  /** Returns when the loop would have been held for too long, if it does not turn until then. */
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
