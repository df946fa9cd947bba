import { dirname } from "node:path";
import { unavailable } from "../domain/failure.ts";
import { type Disk, type DiskFile, writeFully, writeFullyLater } from "./disk.ts";
import { journalFormat, LineBuffer, lineOverheadMax } from "./journal-line.ts";
import type { RecoveredFile, RecoveredJournal } from "./journal-reader.ts";

/** What the store needs of its log; another engine, such as a replicated one, can stand in for the files. */
export interface TransactionLog {
  /** Throws `Failure` 503 when a line of this many bytes cannot be taken for lack of space. Changes nothing. */
  reserve(bytes: number): void;
  /** Queues one transaction (the JSON text of its changes, of the reserved bytes) and returns its number. */
  append(changes: string, bytes: number): number;
  readonly lastSequence: number;
  readonly durableSequence: number;
  /** Resolves once everything appended so far is durable; undefined when it is already. */
  settled(): Promise<void> | undefined;
  /** Space that can go once every document changed up to here is in its segment. */
  releaseBefore(sequence: number): void;
  readonly bytes: number;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: string;
  readonly fileBytes: number;
  /** The disk failed under a write or a sync: nothing may be answered any more. Must not return to normal work. */
  readonly onBroken: (error: unknown) => void;
}

interface JournalFile {
  readonly name: string;
  readonly file: DiskFile;
  readonly size: number;
  /** Upper bound of what is written and queued. */
  reserved: number;
  /** Where the next byte goes. */
  end: number;
  /** Of the last line that is written or queued. */
  lastSequence: number;
  /** The folder must be synced before the first answer that relies on this file. */
  isFolderSynced: boolean;
}

/** Full of zeros and synced, waiting to become the current file. */
interface SpareFile {
  readonly path: string;
  readonly file: DiskFile;
  readonly size: number;
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
    // Whoever waits sees the rejection; a batch that nobody waits for must not end the process twice.
    this.done.promise.catch(() => undefined);
  }
}

const zeros = new Uint8Array(1 << 20);
const firstFileBytesMax = 1 << 20;
/** After a refusal for lack of space, the disk is asked again at most this often. */
const spaceProbeMs = 250;
/** A sync that usually takes no longer may hold the event loop. */
const quickSyncMs = 0.5;

/**
 * The journal on disk: preallocated files of lines, one flush in flight, every transaction that arrives meanwhile
 * shares the next (group commit; performance 7). Space is taken before a transaction changes anything, so a flush
 * can fail only when the disk is broken.
 */
export class Journal implements TransactionLog {
  readonly #options: JournalOptions;
  readonly #buffer = new LineBuffer();
  #lastSequence: number;
  #durableSequence: number;
  #current: JournalFile;
  #sealed: JournalFile[] = [];
  #spare: SpareFile | undefined;
  #preparing: Promise<void> | undefined;
  #nextNumber: number;
  #nextProbeAt = 0;
  #queued: Batch | undefined;
  #flushing: Batch | undefined;
  #flushLoop: Promise<void> | undefined;
  #releaseUpTo = 0;
  #releasing: Promise<void> | undefined;
  /** Of a life before this one nothing is known. */
  #isRemovalUnsynced = true;
  #isBroken = false;
  #usualSyncMs = quickSyncMs;

  private constructor(options: JournalOptions, lastSequence: number, current: JournalFile, nextNumber: number) {
    this.#options = options;
    this.#lastSequence = lastSequence;
    this.#durableSequence = lastSequence;
    this.#current = current;
    this.#nextNumber = nextNumber;
  }

  /** Goes on after what was recovered, or begins the first file. A torn end is overwritten with zeros first. */
  static open(options: JournalOptions, recovered: RecoveredJournal): Journal {
    const { disk, folder } = options;
    for (const name of disk.list(folder)) if (name.startsWith("spare")) disk.remove(`${folder}/${name}`);
    // Before the first transaction the folder itself may be as new as its files.
    if (recovered.lastSequence === 0) disk.syncFolder(dirname(folder));
    const last = recovered.files.at(-1);
    if (last === undefined) {
      const name = fileName(1);
      const size = Math.min(firstFileBytesMax, options.fileBytes);
      const file = allocate(disk, `${folder}/${name}`, size);
      return new Journal(options, recovered.lastSequence, openedFile(name, file, size), 2);
    }
    const opened = recovered.files.map((each) => reopenFile(disk, folder, each));
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
    // Prepared while there is room left, so that a rotation finds its file waiting.
    if (into.reserved * 2 > into.size) this.#prepareSpare();
    return this.#lastSequence;
  }

  settled(): Promise<void> | undefined {
    return (this.#queued ?? this.#flushing)?.done.promise;
  }

  releaseBefore(sequence: number): void {
    this.#releaseUpTo = sequence;
    this.#releasing ??= this.#release()
      // A file that cannot be removed is tried again with the next release.
      .catch(() => undefined)
      .finally(() => {
        this.#releasing = undefined;
      });
  }

  async close(): Promise<void> {
    await this.#flushLoop;
    await this.#preparing;
    await this.#releasing;
    this.#spare?.file.close();
    for (const { file } of [...this.#sealed, this.#current]) file.close();
  }

  /** From the oldest on, each removal synced before the next: a file that came back alone would leave a gap behind it. */
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

  /** The file with the last durable line stays: it is what says how far the journal went. */
  #releasable(): JournalFile | undefined {
    const file = this.#sealed[0];
    if (file === undefined || file.lastSequence >= Math.min(this.#releaseUpTo, this.#durableSequence)) return undefined;
    return file;
  }

  /** One flush at a time, until nothing is queued. */
  async #flushAll(): Promise<void> {
    // The other requests of this turn of the event loop join the first flush.
    await Promise.resolve();
    for (let batch = this.#queued; batch !== undefined; batch = this.#queued) {
      this.#flushing = batch;
      this.#queued = undefined;
      try {
        await this.#flush(batch.lines);
      } catch (error) {
        this.#isBroken = true;
        this.#options.onBroken(error);
        batch.done.reject(error);
        (this.#queued as Batch | undefined)?.done.reject(error);
        return;
      }
      this.#durableSequence = (batch.lines.at(-1) as QueuedLine).sequence;
      this.#flushing = undefined;
      batch.done.resolve();
      // Those who were answered just now may write again at once: they make the next batch fuller.
      await Promise.resolve();
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
      const { sequence } = lines[end - 1] as QueuedLine;
      await this.#sync(into.file, lines.length);
      if (!into.isFolderSynced) {
        await this.#options.disk.syncFolderLater(this.#options.folder);
        into.isFolderSynced = true;
      }
      this.#durableSequence = sequence;
      start = end;
    }
    if (this.#queued === undefined) this.#writeMark((lines.at(-1) as QueuedLine).into);
  }

  /** A lone writer on a quick disk waits less when the sync does not go through another thread. */
  async #sync(file: DiskFile, waiting: number): Promise<void> {
    const started = performance.now();
    if (waiting === 1 && this.#usualSyncMs < quickSyncMs) file.sync();
    else await file.syncLater();
    this.#usualSyncMs += (performance.now() - started - this.#usualSyncMs) / 8;
  }

  /** Not synced: it only has to be there when nothing comes after it. */
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
    const { disk, folder } = this.#options;
    const spare = this.#spare;
    const next = spare !== undefined && spare.size >= needed ? spare : this.#allocateNow(needed);
    const name = fileName(this.#nextNumber);
    try {
      disk.rename(next.path, `${folder}/${name}`);
    } catch (error) {
      if (next !== spare) discard(disk, next.path, next.file);
      throw error;
    }
    if (next === spare) this.#spare = undefined;
    this.#nextNumber += 1;
    this.#sealed.push(this.#current);
    this.#current = openedFile(name, next.file, next.size);
  }

  /** The spare was not ready in time, or the line is larger than any file: the disk is asked here and now. */
  #allocateNow(needed: number): SpareFile {
    const now = performance.now();
    if (now < this.#nextProbeAt) throw new Error("the disk was full a moment ago");
    const { disk, folder, fileBytes } = this.#options;
    const size = Math.max(fileBytes, needed);
    const path = `${folder}/spare-${this.#nextNumber}-now.log`;
    try {
      return { path, file: allocate(disk, path, size), size };
    } catch (error) {
      this.#nextProbeAt = now + spaceProbeMs;
      throw error;
    }
  }

  #prepareSpare(): void {
    if (this.#spare !== undefined || this.#preparing !== undefined || performance.now() < this.#nextProbeAt) return;
    this.#preparing = this.#prepare().finally(() => {
      this.#preparing = undefined;
    });
  }

  async #prepare(): Promise<void> {
    const { disk, folder, fileBytes } = this.#options;
    const path = `${folder}/spare-${this.#nextNumber}.log`;
    let file: DiskFile | undefined;
    try {
      file = disk.open(path, "fresh");
      for (let at = 0; at < fileBytes; at += zeros.byteLength) {
        await writeFullyLater(file, zeros.subarray(0, Math.min(zeros.byteLength, fileBytes - at)), at);
      }
      await file.syncLater();
      this.#spare = { path, file, size: fileBytes };
    } catch {
      // No space: nothing is lost yet. The transaction that needs the file asks again and is refused if it must be.
      this.#nextProbeAt = performance.now() + spaceProbeMs;
      discard(disk, path, file);
    }
  }
}

const headerBytesMax = 192;

function fileName(number: number): string {
  return `${String(number).padStart(8, "0")}.log`;
}

function openedFile(name: string, file: DiskFile, size: number): JournalFile {
  return { name, file, size, reserved: 0, end: 0, lastSequence: 0, isFolderSynced: false };
}

/**
 * A torn end is overwritten with zeros. Lines that no later one calls synced may be in the system's memory only, left
 * there by a killed process or a failed sync: they are written again and synced before anybody is shown them.
 */
function reopenFile(disk: Disk, folder: string, recovered: RecoveredFile): JournalFile {
  const { name, size, end, lastSequence, unmarked, tornBytes } = recovered;
  const file = disk.open(`${folder}/${name}`, "existing");
  if (unmarked.byteLength > 0) writeFully(file, unmarked, end - unmarked.byteLength);
  if (tornBytes > 0) writeZeros(file, end, size);
  if (unmarked.byteLength + tornBytes > 0) file.sync();
  if (unmarked.byteLength > 0) disk.syncFolder(folder);
  return { name, file, size, reserved: end, end, lastSequence, isFolderSynced: false };
}

/** A file full of zeros, synced. Leaves nothing behind when the disk is full. */
function allocate(disk: Disk, path: string, size: number): DiskFile {
  const file = disk.open(path, "fresh");
  try {
    writeZeros(file, 0, size);
    file.sync();
    return file;
  } catch (error) {
    discard(disk, path, file);
    throw error;
  }
}

function writeZeros(file: DiskFile, from: number, to: number): void {
  for (let at = from; at < to; at += zeros.byteLength) {
    writeFully(file, zeros.subarray(0, Math.min(zeros.byteLength, to - at)), at);
  }
}

/** Gets rid of a file that never held anything. One that stays all the same is removed by the next start. */
function discard(disk: Disk, path: string, file: DiskFile | undefined): void {
  try {
    file?.close();
    disk.remove(path);
  } catch {
    // The error that led here matters more.
  }
}
