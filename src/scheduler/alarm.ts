import type { Clock } from "../domain/clock.ts";

/** The interval of reading the clock: timers do not follow a clock that is changed or a machine that slept. */
const lookMs = 60_000;

/** Calls back at a point in time, or earlier: the called function checks the clock and sets it again. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Replaces the time that was set before; undefined for never. */
  set(at: number | undefined): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (at === undefined) return;
    const ms = Math.max(0, Math.min(at - this.#clock.now(), lookMs));
    this.#cancel = this.#clock.after(ms, this.#ring);
  }
}
