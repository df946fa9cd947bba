interface State {
  /** Resolves when the last queued writer is done, and so all are. */
  last: Promise<void>;
  waiting: number;
  readonly readers: Set<Promise<unknown>>;
}

/**
 * A lock for each key: one writer at a time, with any number of readers. Readers do not wait; only `readersDone` waits for
 * them. Memory has only keys in use.
 */
export class KeyedLock {
  readonly #states = new Map<string, State>();

  /** Runs `work` after all earlier writers. `refuse` throws, at the call or at the turn, if the caller must not write. */
  async write<R>(key: string, refuse: () => void, work: () => Promise<R>): Promise<R> {
    refuse();
    const state = this.#stateOf(key);
    const before = state.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.last = promise;
    state.waiting += 1;
    await before;
    try {
      refuse();
      return await work();
    } finally {
      state.waiting -= 1;
      resolve();
      this.#forgetUnused(key, state);
    }
  }

  async read<R>(key: string, work: () => Promise<R>): Promise<R> {
    const state = this.#stateOf(key);
    const reading = work();
    const over = reading.then(
      () => undefined,
      () => undefined,
    );
    state.readers.add(over);
    try {
      return await reading;
    } finally {
      state.readers.delete(over);
      this.#forgetUnused(key, state);
    }
  }

  /** Resolves once the currently queued writers are done. */
  async writersDone(key: string): Promise<void> {
    await this.#states.get(key)?.last;
  }

  /** Resolves once the current readers are done. */
  async readersDone(key: string): Promise<void> {
    await Promise.all(this.#states.get(key)?.readers ?? []);
  }

  #stateOf(key: string): State {
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { last: Promise.resolve(), waiting: 0, readers: new Set() };
      this.#states.set(key, state);
    }
    return state;
  }

  #forgetUnused(key: string, state: State): void {
    const isUsed = state.waiting > 0 || state.readers.size > 0;
    if (!isUsed && this.#states.get(key) === state) this.#states.delete(key);
  }
}
