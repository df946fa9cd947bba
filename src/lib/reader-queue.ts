import pLimit from "p-limit";

/** A reader, as far as a queue counts it. */
export interface Reader {
  /** The user, or the network of an anonymous caller. */
  readonly name: string;
  readonly isStranger: boolean;
}

/** Limits on readers. */
export interface ReaderLimits {
  /** Readers at one time. */
  readonly running: number;
  /** Strangers among them. */
  readonly runningStrangers: number;
  /** Readers of one name among them. */
  readonly runningOfName: number;
  /** Readers that run or wait. */
  readonly open: number;
  /** Strangers among them. */
  readonly openStrangers: number;
  /** Readers of one name among them. */
  readonly openOfName: number;
  /** Milliseconds that a reader waits for its turn. */
  readonly waitMsMax: number;
}

/** The readers of one name. */
interface Named {
  open: number;
  readonly running: ReturnType<typeof pLimit>;
}

/**
 * Lets a few readers work at one time, the others in turn. No reader and no group of strangers can fill the queue, and those of
 * one name that wait hold up nobody else.
 */
export class ReaderQueue {
  readonly #limits: ReaderLimits;
  readonly #refusal: () => Error;
  readonly #running: ReturnType<typeof pLimit>;
  readonly #strangers: ReturnType<typeof pLimit>;
  readonly #named = new Map<string, Named>();
  #open = 0;
  #openStrangers = 0;

  /** `refusal` makes the error for a reader that finds no place or waited too long. */
  constructor(limits: ReaderLimits, refusal: () => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
    this.#running = pLimit(limits.running);
    this.#strangers = pLimit(limits.runningStrangers);
  }

  /** Resolves and rejects as `work` does, which begins when it is the reader's turn. Rejects with the refusal. */
  async run<R>(reader: Reader, work: () => Promise<R>): Promise<R> {
    const { open, openStrangers, openOfName, runningOfName, waitMsMax } = this.#limits;
    const named = this.#named.get(reader.name) ?? { open: 0, running: pLimit(runningOfName) };
    const isFull = this.#open >= open || named.open >= openOfName;
    if (isFull || (reader.isStranger && this.#openStrangers >= openStrangers)) throw this.#refusal();
    const since = performance.now();
    const read = () =>
      this.#running(() => {
        if (performance.now() - since > waitMsMax) throw this.#refusal();
        return work();
      });
    this.#named.set(reader.name, named);
    this.#count(reader, named, 1);
    try {
      return await named.running(() => (reader.isStranger ? this.#strangers(read) : read()));
    } finally {
      this.#count(reader, named, -1);
    }
  }

  #count({ name, isStranger }: Reader, named: Named, change: 1 | -1): void {
    this.#open += change;
    if (isStranger) this.#openStrangers += change;
    named.open += change;
    if (named.open === 0) this.#named.delete(name);
  }
}
