import type { Log } from "../../lib/log.ts";
import type { TransactionLog } from "../journal/journal.ts";
import type { StoredCollection } from "../stored-collection.ts";
import type { Segment } from "./segment.ts";

/** The lag of the files of documents behind the memory. */
export interface CheckpointMetrics {
  readonly dirtySegments: number;
  /** Segments whose last write failed; each is tried again. */
  readonly failingSegments: number;
  /** Transactions from the oldest that only the journal has to the last. */
  readonly lag: number;
  /** Segments since the start. */
  readonly written: number;
  /** Milliseconds since 1970; undefined: nothing was due yet since the start. */
  readonly lastRoundMs: number | undefined;
}

/** Segments are written back after they have been dirty for one to two of these. */
const roundMs = 5_000;
/** The rest between two rounds while the journal is full. */
const roundWithFullJournalMs = 100;
const journalFullBytes = 32 << 20;
const journalTooFullBytes = 64 << 20;
/** Beyond it nothing rests: whoever writes so much waits for the disk as well. */
const journalOverfullBytes = 96 << 20;

/** A segment that could not be written is tried again after this long, then after twice as long, up to the longest. */
const retryMs = 5_000;
const retryMsMax = 5 * 60_000;

/** Rest after a segment as a multiple of the time that it took: a tenth of the time, or a third when pressed. */
const restCalm = 9;
const restPressed = 2;

/**
 * Writes dirty segments back, oldest first, a little at a time, and deletes the journal files that no segment needs. It
 * never pauses the store.
 */
export class Checkpointer {
  readonly #collections: () => Iterable<StoredCollection>;
  readonly #journal: TransactionLog;
  readonly #log: Log;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakeUp: (() => void) | undefined;
  /** Segments that could not be written, and when each is tried again. */
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

  /** Ends after the segment that is being written. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeUp?.();
    await this.#loop;
  }

  /** The journal has begun another file. A full journal ends the rest between two rounds. */
  noteJournalFile(): void {
    if (this.#journal.bytes > journalFullBytes) this.#wakeUp?.();
  }

  /** Writes everything back that changed until now, without rests, but not beyond `budgetMs`. */
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

  /** Nothing is written back while `work` runs: files of segments neither come, change nor go. */
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

  /** A segment that cannot be written keeps no other from it: the journal holds its documents until it can. */
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
    this.#log.warn(fields, "a segment could not be written back");
  }

  /** One segment at a time for all callers: two writes of one segment would share a temporary file. */
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

  /** Finds the oldest change among segments that may be tried at the time `now`; undefined: among all. */
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

  /** Ends early when `noteJournalFile` finds the journal full. */
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
