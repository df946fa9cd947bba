/** Runs work concurrently, unless one piece of work must run alone. */
export class Gate {
  #inside = 0;
  #closed: Promise<void> | undefined;
  #whenEmpty: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  /** Resolves when work may enter; undefined when it may already. */
  get closed(): Promise<void> | undefined {
    return this.#closed;
  }

  /** Counts work that entered. The returned function ends it. The caller checks `closed` before. */
  enter(): () => void {
    this.#inside += 1;
    return () => this.#leave();
  }

  /**
   * Calls `listener` whenever work wants to run alone, so that requests that only wait can end. The returned function
   * removes the listener.
   */
  onClosing(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs the work as soon as it may enter. */
  async run<R>(work: () => R | Promise<R>): Promise<R> {
    while (this.#closed !== undefined) await this.#closed;
    const leave = this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Runs work, such as waiting, outside of the gate. The caller, who is inside, enters again afterwards. */
  async outside<R>(work: () => Promise<R>): Promise<R> {
    this.#leave();
    try {
      return await work();
    } finally {
      while (this.#closed !== undefined) await this.#closed;
      this.#inside += 1;
    }
  }

  /**
   * Runs the work when all other work inside has ended, and lets no other enter until it is done. The caller is inside.
   * Several such calls run one after another.
   */
  async alone<R>(work: () => R | Promise<R>): Promise<R> {
    const before = this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    for (const listener of this.#listeners) listener();
    this.#leave();
    try {
      await before;
      await this.#empty();
      return await work();
    } finally {
      this.#inside += 1;
      if (this.#closed === promise) this.#closed = undefined;
      resolve();
    }
  }

  #leave(): void {
    this.#inside -= 1;
    if (this.#inside === 0) this.#whenEmpty?.();
  }

  async #empty(): Promise<void> {
    while (this.#inside > 0) {
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    }
    this.#whenEmpty = undefined;
  }
}
