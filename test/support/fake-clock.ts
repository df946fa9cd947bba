import type { Clock } from "../../src/domain/clock.ts";
import { dayMs } from "../../src/domain/datetime.ts";

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;

  constructor(start = "2025-03-10T09:30:00.250Z") {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
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
