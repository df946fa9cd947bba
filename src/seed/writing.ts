import { yieldToOthers } from "../lib/yield.ts";
import { type AuditEventRecord, auditEvents } from "../modules/core/audit-events/records.ts";
import type { Store, Transaction } from "../store/index.ts";

/** The documents per transaction: some milliseconds, and some hundred kilobytes of journal. */
const transactionDocuments = 800;
/** The most unfinished transactions: those that come during a sync share the next one. */
const underWayMax = 8;

/**
 * The current transaction of the seed. It counts documents and delays audit events until `writeTrail`, since their ids must
 * ascend with their times, and the seed fills one area after another.
 */
export class Writing implements Transaction {
  #open: Transaction | undefined;
  #trail: AuditEventRecord[] = [];
  #written = 0;
  #heldBack = 0;

  /** The number of written and delayed documents. */
  get documents(): number {
    return this.#written + this.#heldBack;
  }

  get textLength(): number {
    return this.#tx.textLength;
  }

  append: Transaction["append"] = (to, document) => {
    if (to.name === auditEvents.name) {
      this.#trail.push(document as unknown as AuditEventRecord);
      this.#heldBack += 1;
      return document;
    }
    this.#written += 1;
    return this.#tx.append(to, document);
  };

  insert: Transaction["insert"] = (into, document) => {
    this.#written += 1;
    return this.#tx.insert(into, document);
  };

  update: Transaction["update"] = (of, document) => this.#tx.update(of, document);

  remove: Transaction["remove"] = (from, id) => {
    this.#written -= 1;
    this.#tx.remove(from, id);
  };

  nextId(sequence: string): number {
    return this.#tx.nextId(sequence);
  }

  advanceSequence(sequence: string, last: number): void {
    this.#tx.advanceSequence(sequence, last);
  }

  get #tx(): Transaction {
    if (this.#open === undefined) throw new Error("no step is under way");
    return this.#open;
  }

  /**
   * Runs steps, each up to its next `yield`, in transactions of limited size. Waits for the disk if it is far behind. When
   * this resolves, all documents are on disk.
   */
  async run(store: Store, steps: Iterator<unknown>, report: (documents: number) => void = () => {}): Promise<void> {
    const underWay: (Promise<void> | undefined)[] = [];
    for (let isDone = false; !isDone; ) {
      const end = this.#written + transactionDocuments;
      store.transact((tx) => {
        this.#open = tx;
        try {
          while (!isDone && this.#written < end) isDone = steps.next().done === true;
        } finally {
          this.#open = undefined;
        }
      });
      report(this.documents);
      underWay.push(store.settled());
      if (underWay.length >= underWayMax) await underWay.shift();
      // Lets the writer of segments and the handler of Ctrl-C run, however fast the disk is.
      await yieldToOthers();
    }
    await store.settled();
  }

  /** Runs one step in its own transaction. */
  runOne(store: Store, step: () => void): Promise<void> {
    return this.run(
      store,
      [step].values().map((each) => each()),
    );
  }

  /** Writes the delayed events in the order of their times. */
  *writeTrail(): Generator<undefined> {
    const ids = this.#trail.map(({ id }) => id).sort((one, other) => one - other);
    const trail = this.#trail.sort((one, other) => compare(one.created_at, other.created_at) || one.id - other.id);
    this.#trail = [];
    for (const [at, event] of trail.entries()) {
      this.#tx.append(auditEvents, { ...event, id: ids[at] as number });
      this.#heldBack -= 1;
      this.#written += 1;
      yield undefined;
    }
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
