import type { Clock } from "../domain/clock.ts";
import { withoutBudget } from "../domain/work-budget.ts";
import type { ClockState, SandboxClock } from "../modules/kernel/context.ts";

interface Timer {
  /** The time by this clock. */
  at: number;
  readonly action: () => void;
}

/** A clock with an adjustable time and rate. */
export class AdjustableClock implements SandboxClock {
  readonly real: Clock;
  readonly #timers = new Set<Timer>();
  #state: ClockState;
  #era = 0;
  readonly #backListeners: (() => void)[] = [];
  #cancel: (() => void) | undefined;

  constructor(real: Clock) {
    this.real = real;
    this.#state = this.#systemState();
  }

  get state(): ClockState {
    return this.#state;
  }

  get era(): number {
    return this.#era;
  }

  now(): number {
    const { base_ms, since_ms, rate, is_frozen } = this.#state;
    return is_frozen ? base_ms : Math.floor(base_ms + (this.real.now() - since_ms) * rate);
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.now() + ms, action };
    this.#timers.add(timer);
    this.#arm();
    return () => void this.#timers.delete(timer);
  }

  onBack(listener: () => void): void {
    this.#backListeners.push(listener);
  }

  load(state: ClockState | undefined): void {
    const before = this.now();
    this.#state = state ?? this.#systemState();
    const shift = this.now() - before;
    if (shift < 0) {
      this.#era += 1;
      for (const timer of this.#timers) timer.at += shift;
    }
    this.#fire();
    if (shift < 0) for (const listener of this.#backListeners) listener();
  }

  #systemState(): ClockState {
    const now = this.real.now();
    return { base_ms: now, since_ms: now, rate: 1, is_frozen: false };
  }

  /** Fires every due timer, in the order of their times. */
  #fire(): void {
    const now = this.now();
    const due = [...this.#timers].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    for (const timer of due) if (this.#timers.delete(timer)) withoutBudget(timer.action);
    this.#arm();
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { is_frozen, rate } = this.#state;
    if (is_frozen || this.#timers.size === 0) return;
    let first = Number.POSITIVE_INFINITY;
    for (const { at } of this.#timers) first = Math.min(first, at);
    this.#cancel = this.real.after(Math.max(0, (first - this.now()) / rate), () => this.#fire());
  }
}
