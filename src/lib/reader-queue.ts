import pLimit from "p-limit";

/** The identity of a reader, for the limits of a queue. */
export interface Reader {
  /** The user, or the network of an anonymous caller. */
  readonly name: string;
  readonly isStranger: boolean;
}

/** The limits of a queue. */
export interface ReaderLimits {
  /** The most concurrent readers. */
  readonly running: number;
  /** The most concurrent anonymous readers. */
  readonly runningStrangers: number;
  /** The most concurrent readers of one name. */
  readonly runningOfName: number;
  /** The most readers that run or wait. */
  readonly open: number;
  /** The most anonymous readers that run or wait. */
  readonly openStrangers: number;
  /** The most readers of one name that run or wait. */
  readonly openOfName: number;
  /** The longest wait of a reader in milliseconds. */
  readonly waitMsMax: number;
}

/** The readers of one name. */
interface Named {
  open: number;
  readonly running: ReturnType<typeof pLimit>;
}

/**
 * A queue that runs a few readers at once. No single name and no group of anonymous readers can fill it, and waiting readers
 * of one name do not delay those of others.
 */
export class ReaderQueue {
  readonly #limits: ReaderLimits;
  readonly #refusal: () => Error;
  readonly #running: ReturnType<typeof pLimit>;
  readonly #strangers: ReturnType<typeof pLimit>;
  readonly #named = new Map<string, Named>();
  #open = 0;
  #openStrangers = 0;

  /** `refusal` makes the error for a reader that finds the queue full or waited too long. */
  constructor(limits: ReaderLimits, refusal: () => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
    this.#running = pLimit(limits.running);
    this.#strangers = pLimit(limits.runningStrangers);
  }

  /** Runs `work` at the reader's turn, and resolves or rejects as it does. Rejects with the refusal. */
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
