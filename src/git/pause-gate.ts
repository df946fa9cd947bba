/** Work that others may keep from beginning for a while. */
export class PauseGate {
  readonly #holds = new Set<Promise<void>>();
  readonly #running = new Set<Promise<unknown>>();

  /** Resolves once running work has ended; no other begins until the function that it resolves to is called. */
  async hold(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.add(promise);
    await Promise.allSettled(this.#running);
    return () => {
      this.#holds.delete(promise);
      resolve();
    };
  }

  /** Resolves when no hold is left. */
  async free(): Promise<void> {
    while (this.#holds.size > 0) await Promise.all(this.#holds);
  }

  async run<R>(work: () => Promise<R>): Promise<R> {
    await this.free();
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}
