/** The account of the mails in the outbox, by which the oldest are removed. */

/** The most that the outbox keeps. */
export interface MailLimits {
  readonly mails: number;
  /** Bytes of their texts. */
  readonly bytes: number;
}

export interface MailSize {
  readonly id: number;
  /** UTF-8 bytes of address, subject and text. */
  readonly bytes: number;
}

/** Mails beyond the limits stay until they are this share of a limit, so that one removal takes many. */
const excessShare = 10;

/** Knows the sizes of the newest mails: 16 bytes of memory a mail. Each change takes as many steps as it moves mails. */
export class MailAccount {
  readonly #limits: MailLimits;
  /** Rising. */
  #ids: number[] = [];
  /** The size of the mail at the same index of `#ids`. */
  #sizes: number[] = [];
  #bytes = 0;
  /** Mails before this place are beyond the limits and may be removed. */
  #excess = 0;
  #excessBytes = 0;

  constructor(limits: MailLimits) {
    this.#limits = limits;
  }

  /** A new mail. Mails with its id or a higher one were rolled back. */
  add({ id, bytes }: MailSize): void {
    this.removeAfter(id - 1);
    this.#ids.push(id);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
  }

  /** Mails that are older than all others, the newest first. */
  addOlder(older: readonly MailSize[]): void {
    const oldestFirst = older.toReversed();
    this.#ids = [...oldestFirst.map(({ id }) => id), ...this.#ids];
    this.#sizes = [...oldestFirst.map(({ bytes }) => bytes), ...this.#sizes];
    for (const { bytes } of older) this.#bytes += bytes;
  }

  /** Mails that were rolled back. */
  removeAfter(lastId: number): void {
    while ((this.#ids.at(-1) ?? 0) > lastId) {
      this.#ids.pop();
      this.#bytes -= this.#sizes.pop() as number;
    }
  }

  /** Whether the mails that are not in the excess yet are more than the limits allow. */
  get isOverLimits(): boolean {
    const { mails, bytes } = this.#limits;
    return this.#ids.length - this.#excess > mails || this.#bytes - this.#excessBytes > bytes;
  }

  /** Puts the oldest mails that are beyond the limits into the excess, but none from `below` on. */
  moveExcess(below: number): void {
    while (this.isOverLimits && (this.#ids[this.#excess] as number) < below) {
      this.#excessBytes += this.#sizes[this.#excess] as number;
      this.#excess += 1;
    }
  }

  get isExcessLarge(): boolean {
    return isLarge(this.#limits, { mails: this.#excess, bytes: this.#excessBytes });
  }

  /** The oldest mail that is not in the excess; undefined for none. */
  get firstRetained(): number | undefined {
    return this.#ids[this.#excess];
  }

  /** Notes that the excess mails are removed. */
  removeExcess(): void {
    this.#ids = this.#ids.slice(this.#excess);
    this.#sizes = this.#sizes.slice(this.#excess);
    this.#bytes -= this.#excessBytes;
    this.#excess = 0;
    this.#excessBytes = 0;
  }
}

/** Whether the excess beyond the limits is worth a removal. */
export function isLarge(limits: MailLimits, excess: MailLimits): boolean {
  return excess.mails * excessShare > limits.mails || excess.bytes * excessShare > limits.bytes;
}
