import type { Log } from "../../lib/log.ts";
import { type Pace, paceOf } from "../../lib/yield.ts";
import type { Blobs } from "../blobs.ts";
import { MemoryCollection } from "../collection.ts";
import type { TransactionLog } from "../journal/journal.ts";
import type { LogCollection } from "../logs/log-collection.ts";
import type { Checkpointer } from "../segments/checkpointer.ts";
import type { StoredCollection } from "../stored-collection.ts";
import { BlobSweeper } from "./blob-sweeper.ts";

interface Needs {
  readonly journal: Pick<TransactionLog, "settled">;
  readonly checkpointer: Checkpointer;
  readonly blobs: Blobs;
  readonly log: Log;
  readonly onDamage: (found: string) => void;
}

/** Background work of the store: one task after another, in slices. No request waits for it. */
export class BackgroundWork {
  readonly sweeper: BlobSweeper;
  readonly #collections: ReadonlyMap<string, StoredCollection>;
  readonly #needs: Needs;
  #isStopping = false;
  #isIndexed = false;
  #work: Promise<void> = Promise.resolve();

  constructor(collections: ReadonlyMap<string, StoredCollection>, needs: Needs) {
    this.#collections = collections;
    this.#needs = needs;
    this.sweeper = new BlobSweeper(needs.blobs, collections.values(), () => needs.journal.settled());
  }

  /** True when all indexes are complete. */
  get isIndexed(): boolean {
    return this.#isIndexed;
  }

  /** Completes the indexes, removes dropped entries and sweeps blobs, after `delayMs`. */
  start(delayMs: number): void {
    this.#work = this.#work.then(async () => {
      await Bun.sleep(delayMs);
      if (!this.#isStopping) await this.#workOnAll();
    });
  }

  /** Removes the entries that a log has just dropped. If a file cannot be removed, the next start does it. */
  removeDropped(log: LogCollection<never>): void {
    this.#work = this.#work.then(async () => {
      try {
        await this.#removeDropped(log, this.#pace());
      } catch (error) {
        this.#needs.log.warn({ error: String(error) }, "some dropped segments could not be removed");
      }
    });
  }

  async done(): Promise<void> {
    await this.#work;
  }

  /** Stops at the next step. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
  }

  async #workOnAll(): Promise<void> {
    const collections = [...this.#collections.values()];
    const pace = this.#pace();
    for (const collection of collections) {
      if (!(collection instanceof MemoryCollection)) continue;
      try {
        await collection.completeIndexes(pace);
      } catch (error) {
        return this.#needs.onDamage(`an index of ${collection.name} cannot be built: ${String(error)}`);
      }
    }
    if (this.#isStopping) return;
    this.#isIndexed = true;
    for (const collection of collections) {
      if (!(collection instanceof MemoryCollection))
        await this.#removeDropped(collection as LogCollection<never>, pace);
    }
    await this.sweeper.sweepAll();
  }

  /**
   * Removes dropped segments once the watermark is on disk and no segment is being written: a write would create the file
   * again.
   */
  async #removeDropped(log: LogCollection<never>, pace: Pace): Promise<void> {
    if (!log.hasDropped) return;
    const { journal, checkpointer } = this.#needs;
    const { droppedBelow } = log;
    await journal.settled();
    if (!(await log.sweepIndex(pace))) return;
    await checkpointer.holdWhile(() => log.removeSegmentsBelow(droppedBelow, pace));
  }

  #pace(): Pace {
    return paceOf(() => this.#isStopping);
  }
}
