import type { Log } from "../../lib/log.ts";
import type { TransactionLog } from "../journal/journal.ts";
import type { StoredCollection } from "../stored-collection.ts";
import type { Segment } from "./segment.ts";

/** The lag of the segment files behind memory. */
export interface CheckpointMetrics {
  readonly dirtySegments: number;
  /** The number of segments whose last write failed. Each is tried again. */
  readonly failingSegments: number;
  /** The number of transactions since the oldest one that only the journal has. */
  readonly lag: number;
  /** The number of segments written since the start. */
  readonly written: number;
  /** Milliseconds since 1970; undefined when nothing was due since the start. */
  readonly lastRoundMs: number | undefined;
}

/** A segment is written once it has been dirty for one to two of these. */
const roundMs = 5_000;
/** The pause between two rounds while the journal is full. */
const roundWithFullJournalMs = 100;
const journalFullBytes = 32 << 20;
const journalTooFullBytes = 64 << 20;
/** Above this size there are no pauses: a writer of so much also waits for the disk. */
const journalOverfullBytes = 96 << 20;

/** The first wait after a failed write of a segment. It doubles up to the longest. */
const retryMs = 5_000;
const retryMsMax = 5 * 60_000;

/**
 * The pause after a segment, as a multiple of its duration: writing takes a tenth of the time, or a third under pressure.
 */
const restCalm = 9;
const restPressed = 2;

/**
 * Writes dirty segments, oldest first, a little at a time, and deletes the journal files that no segment needs. It never
 * pauses the store.
 */
export class Checkpointer {
  readonly #collections: () => Iterable<StoredCollection>;
  readonly #journal: TransactionLog;
  readonly #log: Log;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakeUp: (() => void) | undefined;
  /** Segments that could not be written, and the time of the next attempt. */
  readonly #failing = new Map<Segment, { readonly waitMs: number; readonly until: number }>();
  #isStopping = false;
  #loop: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #written = 0;
  #lastRoundMs: number | undefined;

  constructor(collections: () => Iterable<StoredCollection>, journal: TransactionLog, log: Log) {
    this.#collections = collections;
    this.#journal = journal;
    this.#log = log;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Stops after the segment that is being written. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeUp?.();
    await this.#loop;
  }

  /** Notes that the journal began another file. A full journal ends the pause between two rounds. */
  noteJournalFile(): void {
    if (this.#journal.bytes > journalFullBytes) this.#wakeUp?.();
  }

  /** Writes everything that changed until now, without pauses, for at most `budgetMs`. */
  async writeAll(budgetMs = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + budgetMs;
    const until = this.#journal.lastSequence;
    for (
      let next = this.#oldestDirty(until);
      next !== undefined && performance.now() < end;
      next = this.#oldestDirty(until)
    ) {
      await this.#save(next.collection, next.segment);
    }
    this.#release();
  }

  /** Runs `work` while no segment is written: no segment file is created, changed or removed. */
  holdWhile<R>(work: () => Promise<R>): Promise<R> {
    const held = this.#saving.then(work);
    this.#saving = held.then(
      () => undefined,
      () => undefined,
    );
    return held;
  }

  metrics(): CheckpointMetrics {
    let dirtySegments = 0;
    let oldest = this.#journal.lastSequence + 1;
    for (const collection of this.#collections()) {
      for (const { neededSince } of collection.segments()) {
        if (neededSince === undefined) continue;
        dirtySegments += 1;
        oldest = Math.min(oldest, neededSince);
      }
    }
    const lag = this.#journal.lastSequence + 1 - oldest;
    const failingSegments = this.#failing.size;
    return { dirtySegments, failingSegments, lag, written: this.#written, lastRoundMs: this.#lastRoundMs };
  }

  async #run(): Promise<void> {
    let until = this.#journal.lastSequence;
    while (!this.#isStopping) {
      await this.#restBetweenRounds();
      const reached = this.#journal.lastSequence;
      if (this.#journal.bytes > journalFullBytes) until = reached;
      await this.#round(until);
      until = reached;
    }
  }

  /** Writes the due segments. A failed one does not stop the others: the journal holds its documents. */
  async #round(until: number): Promise<void> {
    for (
      let next = this.#oldestDirty(until, performance.now());
      next !== undefined && !this.#isStopping;
      next = this.#oldestDirty(until, performance.now())
    ) {
      const started = performance.now();
      try {
        await this.#save(next.collection, next.segment);
      } catch (error) {
        this.#noteFailure(next.collection, next.segment, error);
      }
      this.#release();
      await this.#rest((performance.now() - started) * this.#restFactor());
    }
    this.#lastRoundMs = Date.now();
    this.#release();
  }

  #restFactor(): number {
    const { bytes } = this.#journal;
    if (bytes > journalOverfullBytes) return 0;
    return bytes > journalTooFullBytes ? restPressed : restCalm;
  }

  #noteFailure({ name }: StoredCollection, segment: Segment, error: unknown): void {
    const before = this.#failing.get(segment)?.waitMs;
    const waitMs = Math.min(before === undefined ? retryMs : before * 2, retryMsMax);
    this.#failing.set(segment, { waitMs, until: performance.now() + waitMs });
    const fields = { collection: name, segment: segment.number, error: String(error), retry_ms: waitMs };
    this.#log.warn(fields, "a segment could not be written");
  }

  /** Writes one segment at a time for all callers: two writes of a segment would share a temporary file. */
  #save(collection: StoredCollection, segment: Segment): Promise<void> {
    const saved = this.#saving.then(async () => {
      if (segment.dirtySince === undefined) return;
      await collection.save(segment);
      this.#failing.delete(segment);
      this.#written += 1;
    });
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  #release(): void {
    let oldest = this.#journal.lastSequence + 1;
    for (const collection of this.#collections()) {
      for (const { neededSince } of collection.segments()) oldest = Math.min(oldest, neededSince ?? oldest);
    }
    this.#journal.releaseBefore(oldest);
  }

  /** Finds the segment with the oldest change, among those that may be tried at `now`; among all when `now` is undefined. */
  #oldestDirty(until: number, now?: number): { collection: StoredCollection; segment: Segment } | undefined {
    let found: { collection: StoredCollection; segment: Segment } | undefined;
    let oldest = until + 1;
    for (const collection of this.#collections()) {
      for (const segment of collection.segments()) {
        if (segment.dirtySince === undefined || segment.dirtySince >= oldest) continue;
        if (now !== undefined && (this.#failing.get(segment)?.until ?? 0) > now) continue;
        oldest = segment.dirtySince;
        found = { collection, segment };
      }
    }
    return found;
  }

  /** Waits between two rounds. `noteJournalFile` ends the wait when the journal is full. */
  async #restBetweenRounds(): Promise<void> {
    const { bytes } = this.#journal;
    if (bytes > journalFullBytes) await this.#rest(bytes > journalOverfullBytes ? 0 : roundWithFullJournalMs);
    else await this.#rest(roundMs);
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
      this.#timer = setTimeout(resolve, ms);
      this.#timer.unref();
    });
    clearTimeout(this.#timer);
    this.#wakeUp = undefined;
  }
}
