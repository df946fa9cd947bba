import { invalid } from "../domain/failure.ts";

/** The text of storage-moves 5. */
const readOnlyText = "The repository is temporarily read-only. Please try again later.";

/** While it lasts, nobody writes one repository. */
export interface ReadOnlyTime {
  /** Resolves once those who were writing when it began are done. */
  readonly writersDone: Promise<void>;
  /** Resolves once those who are reading at the time of the call are done. */
  readersDone(): Promise<void>;
  end(): void;
}

interface State {
  /** The last writer in the line; done when all of them are. */
  last: Promise<void>;
  waiting: number;
  readonly readers: Set<Promise<unknown>>;
  isReadOnly: boolean;
}

/**
 * Who may touch which repository when: one writer at a time, any number of readers beside it, and no writer at all
 * while a repository is read-only. Only those that somebody uses at this moment are known.
 */
export class Turns {
  readonly #states = new Map<string, State>();

  /** Runs `work` when all who came before are done. Throws 400 when the repository is read-only by then. */
  async write<R>(key: string, work: () => Promise<R>): Promise<R> {
    const state = this.#stateOf(key);
    // Those who come now are refused now; those who waited in line, when it is their turn.
    if (state.isReadOnly) throw invalid(readOnlyText);
    const before = state.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.last = promise;
    state.waiting += 1;
    await before;
    try {
      if (state.isReadOnly) throw invalid(readOnlyText);
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

  /** undefined when it is read-only already. */
  makeReadOnly(key: string): ReadOnlyTime | undefined {
    const state = this.#stateOf(key);
    if (state.isReadOnly) return undefined;
    state.isReadOnly = true;
    return {
      writersDone: state.last,
      async readersDone() {
        await Promise.all(state.readers);
      },
      end: () => {
        state.isReadOnly = false;
        this.#forgetUnused(key, state);
      },
    };
  }

  isReadOnly(key: string): boolean {
    return this.#states.get(key)?.isReadOnly === true;
  }

  #stateOf(key: string): State {
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { last: Promise.resolve(), waiting: 0, readers: new Set(), isReadOnly: false };
      this.#states.set(key, state);
    }
    return state;
  }

  #forgetUnused(key: string, state: State): void {
    const isUsed = state.isReadOnly || state.waiting > 0 || state.readers.size > 0;
    if (!isUsed && this.#states.get(key) === state) this.#states.delete(key);
  }
}
