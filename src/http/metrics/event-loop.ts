import { Durations } from "../../domain/durations.ts";

const everyMs = 100;

/** Looks at the clock ten times a second: whoever holds the event loop makes that late. */
export class EventLoopWatch {
  readonly delays = new Durations();
  #timer: ReturnType<typeof setInterval> | undefined;

  start(): void {
    let due = performance.now() + everyMs;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.delays.observe(Math.max(0, now - due) / 1000);
      due = now + everyMs;
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
