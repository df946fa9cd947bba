import type { Clock } from "../../src/domain/clock.ts";
import { dayMs } from "../../src/lib/datetime.ts";

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(start = "2025-03-10T09:30:00.250Z") {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Number of actions that wait for their time. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Jumps, as if the machine had slept: every timer that came due on the way fires now, in order of its time. */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.action();
  }

  advanceDays(days: number): void {
    this.advance(days * dayMs);
  }

  /** `2025-03-10`, that many days from now. */
  day(offset = 0): string {
    return new Date(this.#now + offset * dayMs).toISOString().slice(0, 10);
  }

  /** `2025-03-10T09:30:00.250Z`, that many milliseconds from now. */
  time(offsetMs = 0): string {
    return new Date(this.#now + offsetMs).toISOString();
  }
}
