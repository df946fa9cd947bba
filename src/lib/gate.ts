/** Lets work in, and holds it back while one piece of work needs to be alone. */
export class Gate {
  #inside = 0;
  #closed: Promise<void> | undefined;
  #whenEmpty: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  /** Resolves when work is let in; undefined while it is. */
  get closed(): Promise<void> | undefined {
    return this.#closed;
  }

  /** Counts work that was let in; the returned function ends it. The caller looks at `closed` before. */
  enter(): () => void {
    this.#inside += 1;
    return () => this.#leave();
  }

  /**
   * Calls `listener` whenever work wants to be alone: requests that only wait inside end then. The returned function removes
   * the listener.
   */
  onClosing(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Does the work as soon as it is let in. */
  async run<R>(work: () => R | Promise<R>): Promise<R> {
    while (this.#closed !== undefined) await this.#closed;
    const leave = this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Does work of a caller inside that holds nobody up, such as waiting, and lets the caller in again. */
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
   * Does the work when everything inside has ended, and lets nothing in until its end. The caller is inside itself,
   * and does not wait for itself; several that wait come in turn.
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
