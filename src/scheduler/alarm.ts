import type { Clock } from "../domain/clock.ts";

/** The interval of reading the clock: timers do not notice that the clock was set or that the machine slept. */
const lookMs = 60_000;

/** A timer for a point in time. It may fire early, so the called function checks the clock and sets it again. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Replaces the earlier time; undefined means never. */
  set(at: number | undefined): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (at === undefined) return;
    const ms = Math.max(0, Math.min(at - this.#clock.now(), lookMs));
    this.#cancel = this.#clock.after(ms, this.#ring);
  }
}
