import { dirname } from "node:path";
import { unavailable } from "../../domain/failure.ts";
import { Histogram } from "../../lib/histogram.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import { type Disk, type DiskFile, writeFully } from "../disk.ts";
import {
  createJournalFile,
  type JournalFile,
  journalFileName,
  reopenJournalFile,
  SpareFiles,
} from "./journal-files.ts";
import { journalFormat, LineBuffer, lineOverheadMax } from "./journal-line.ts";
import type { RecoveredJournal } from "./journal-reader.ts";
import type { JournalMetrics } from "./metrics.ts";

/** The log that the store writes to. Another implementation, such as a replicated one, can replace the files. */
export interface TransactionLog {
  /** Throws `Failure` 503 when there is no space for a line of this size. Changes nothing then. */
  reserve(bytes: number): void;
  /** Queues one transaction, whose changes are JSON text of the reserved size, and returns its number. */
  append(changes: string, bytes: number): number;
  readonly lastSequence: number;
  readonly durableSequence: number;
  /** Resolves once everything appended so far is durable; undefined when it is durable already. */
  settled(): Promise<void> | undefined;
  /** Frees the space of transactions up to this one. Call it once every changed document is in its segment. */
  releaseBefore(sequence: number): void;
  readonly bytes: number;
  /** Returns the files that hold everything appended so far, oldest first. */
  files(): readonly LoggedFile[];
  readonly metrics: JournalMetrics;
  close(): Promise<void>;
}

/** A file of the journal, with live numbers. */
export type LoggedFile = Readonly<Pick<JournalFile, "name" | "durableEnd" | "lastSequence">>;

export interface JournalOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: string;
  readonly fileBytes: number;
  /** Called when a write or a sync failed. The server must send no further answer, and must not resume normal work. */
  readonly onDiskFailure: (error: unknown) => void;
  /** Called when a file is full and the next one begins. */
  readonly onFileBegun?: () => void;
}

interface QueuedLine {
  readonly sequence: number;
  readonly changes: string;
  readonly bytes: number;
  readonly into: JournalFile;
}

/** All transactions that share one flush. */
class Batch {
  readonly lines: QueuedLine[] = [];
  readonly done = Promise.withResolvers<void>();

  constructor() {
    // The waiting caller handles the rejection. A batch without a caller must not end the process.
    this.done.promise.catch(() => undefined);
  }
}

const firstFileBytesMax = 1 << 20;
/** Syncs that usually take less time than this run on the event loop. */
const quickSyncMs = 0.5;

/**
 * The journal on disk: preallocated files of lines. One flush runs at a time; transactions that arrive meanwhile share the
 * next one (group commit; performance 7). Space is reserved before a transaction changes anything, so a flush fails only
 * when the disk is broken.
 */
export class Journal implements TransactionLog {
  readonly #options: JournalOptions;
  readonly #buffer = new LineBuffer();
  #lastSequence: number;
  #durableSequence: number;
  #current: JournalFile;
  #sealed: JournalFile[] = [];
  readonly #spares: SpareFiles;
  #nextNumber: number;
  #queued: Batch | undefined;
  #flushing: Batch | undefined;
  #flushLoop: Promise<void> | undefined;
  #releaseUpTo = 0;
  #releasing: Promise<void> | undefined;
  /** True at the start, since an earlier process may have removed files without a sync. */
  #isRemovalUnsynced = true;
  #isBroken = false;
  #usualSyncMs = quickSyncMs;
  readonly metrics = { lines: 0, bytes: 0, syncs: Histogram.ofSeconds(), batches: Histogram.ofCounts() };

  private constructor(options: JournalOptions, lastSequence: number, current: JournalFile, nextNumber: number) {
    this.#options = options;
    this.#spares = new SpareFiles(options.disk, options.folder, options.fileBytes);
    this.#lastSequence = lastSequence;
    this.#durableSequence = lastSequence;
    this.#current = current;
    this.#nextNumber = nextNumber;
  }

  /** Continues after the recovered transactions, or begins the first file. First overwrites a torn end with zeros. */
  static open(options: JournalOptions, recovered: RecoveredJournal): Journal {
    const { disk, folder } = options;
    // Before the first transaction, the folder itself may be new.
    if (recovered.lastSequence === 0) disk.syncFolder(dirname(folder));
    const last = recovered.files.at(-1);
    if (last === undefined) {
      const size = Math.min(firstFileBytesMax, options.fileBytes);
      const file = createJournalFile(disk, folder, journalFileName(1), size);
      return new Journal(options, recovered.lastSequence, file, 2);
    }
    const opened = recovered.files.map((each) => reopenJournalFile(disk, folder, each));
    const current = opened.pop() as JournalFile;
    const journal = new Journal(options, recovered.lastSequence, current, Number.parseInt(last.name, 10) + 1);
    journal.#sealed = opened;
    return journal;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  get durableSequence(): number {
    return this.#durableSequence;
  }

  get bytes(): number {
    return this.#sealed.reduce((sum, file) => sum + file.end, this.#current.reserved);
  }

  reserve(bytes: number): void {
    if (this.#isBroken) throw unavailable();
    const needed = bytes + lineOverheadMax;
    const room = this.#current.size - this.#current.reserved - (this.#current.reserved === 0 ? headerBytesMax : 0);
    if (needed <= room) return;
    try {
      this.#rotate(needed + headerBytesMax);
    } catch (error) {
      throw unavailable(error);
    }
  }

  append(changes: string, bytes: number): number {
    const into = this.#current;
    this.#lastSequence += 1;
    into.reserved += bytes + lineOverheadMax + (into.reserved === 0 ? headerBytesMax : 0);
    into.lastSequence = this.#lastSequence;
    if (this.#queued === undefined) {
      this.#queued = new Batch();
      this.#flushLoop ??= this.#flushAll();
    }
    this.#queued.lines.push({ sequence: this.#lastSequence, changes, bytes, into });
    // Prepares the next file while this one has room, so that a rotation does not wait.
    if (into.reserved * 2 > into.size) this.#spares.prepare();
    return this.#lastSequence;
  }

  settled(): Promise<void> | undefined {
    return (this.#queued ?? this.#flushing)?.done.promise;
  }

  files(): readonly LoggedFile[] {
    return [...this.#sealed, this.#current];
  }

  releaseBefore(sequence: number): void {
    this.#releaseUpTo = sequence;
    this.#releasing ??= this.#release()
      // The next release tries again to remove the file.
      .catch(() => undefined)
      .finally(() => {
        this.#releasing = undefined;
      });
  }

  async close(): Promise<void> {
    await this.#flushLoop;
    await this.#spares.close();
    await this.#releasing;
    for (const { file } of [...this.#sealed, this.#current]) file.close();
  }

  /** Removes files, oldest first. Syncs each removal before the next: a file that reappeared alone would leave a gap. */
  async #release(): Promise<void> {
    const { disk, folder } = this.#options;
    for (let file = this.#releasable(); file !== undefined; file = this.#releasable()) {
      if (this.#isRemovalUnsynced) await disk.syncFolderLater(folder);
      this.#isRemovalUnsynced = true;
      disk.remove(`${folder}/${file.name}`);
      this.#sealed.shift();
      file.file.close();
    }
  }

  /**
   * Returns the oldest file that may go. The file with the last durable line stays, since it shows where the journal ends.
   */
  #releasable(): JournalFile | undefined {
    const file = this.#sealed[0];
    if (file === undefined || file.lastSequence >= Math.min(this.#releaseUpTo, this.#durableSequence)) return undefined;
    return file;
  }

  /** Flushes until the queue is empty, one flush at a time. */
  async #flushAll(): Promise<void> {
    // Lets other requests of this event-loop turn join: microtasks would run before those are read.
    await yieldToOthers();
    for (let batch = this.#queued; batch !== undefined; batch = this.#queued) {
      this.#flushing = batch;
      this.#queued = undefined;
      try {
        await this.#flush(batch.lines);
      } catch (error) {
        this.#isBroken = true;
        this.#options.onDiskFailure(error);
        batch.done.reject(error);
        (this.#queued as Batch | undefined)?.done.reject(error);
        return;
      }
      this.#durableSequence = (batch.lines.at(-1) as QueuedLine).sequence;
      this.#flushing = undefined;
      batch.done.resolve();
      await yieldToOthers();
    }
    this.#flushLoop = undefined;
  }

  async #flush(lines: readonly QueuedLine[]): Promise<void> {
    let start = 0;
    while (start < lines.length) {
      const { into } = lines[start] as QueuedLine;
      let end = start;
      this.#buffer.clear();
      if (into.end === 0) this.#pushHeader((lines[start] as QueuedLine).sequence);
      for (; lines[end]?.into === into; end += 1) {
        const { sequence, changes, bytes } = lines[end] as QueuedLine;
        const json = `{"t":${sequence},"d":${this.#durableSequence},"o":${changes}}`;
        this.#buffer.push(json, bytes + lineOverheadMax);
      }
      const bytes = this.#buffer.bytes();
      writeFully(into.file, bytes, into.end);
      into.end += bytes.byteLength;
      this.metrics.lines += end - start;
      this.metrics.bytes += bytes.byteLength;
      const { sequence } = lines[end - 1] as QueuedLine;
      await this.#sync(into.file, end - start);
      if (!into.isFolderSynced) {
        await this.#options.disk.syncFolderLater(this.#options.folder);
        into.isFolderSynced = true;
      }
      into.durableEnd = into.end;
      this.#durableSequence = sequence;
      start = end;
    }
    if (this.#queued === undefined) this.#writeMark((lines.at(-1) as QueuedLine).into);
  }

  /** Syncs on the event loop for a single writer on a fast disk, who then waits less. */
  async #sync(file: DiskFile, lines: number): Promise<void> {
    const started = performance.now();
    if (lines === 1 && this.#usualSyncMs < quickSyncMs) file.sync();
    else await file.syncLater();
    const tookMs = performance.now() - started;
    this.#usualSyncMs += (tookMs - this.#usualSyncMs) / 8;
    this.metrics.syncs.observe(tookMs / 1000);
    this.metrics.batches.observe(lines);
  }

  /** Writes the mark without a sync: it matters only when no line follows it. */
  #writeMark(into: JournalFile): void {
    this.#buffer.clear();
    this.#buffer.push(`{"d":${this.#durableSequence}}`, lineOverheadMax);
    const bytes = this.#buffer.bytes();
    writeFully(into.file, bytes, into.end);
    into.end += bytes.byteLength;
  }

  #pushHeader(from: number): void {
    this.#buffer.push(
      JSON.stringify({ outpost_journal: journalFormat, store: this.#options.store, from }),
      headerBytesMax,
    );
  }

  #rotate(needed: number): void {
    const next = this.#spares.take(journalFileName(this.#nextNumber), needed);
    this.#nextNumber += 1;
    this.#sealed.push(this.#current);
    this.#current = next;
    this.#options.onFileBegun?.();
  }
}

const headerBytesMax = 192;
