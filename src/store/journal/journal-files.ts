import { type Disk, type DiskFile, writeFully, writeFullyLater } from "../disk.ts";
import type { RecoveredFile } from "./journal-reader.ts";

/** A file of the journal with transactions, or for the next ones. All numbers are bytes. */
export interface JournalFile {
  readonly name: string;
  readonly file: DiskFile;
  readonly size: number;
  /** An upper bound of the written and the queued bytes. */
  reserved: number;
  /** The offset of the next byte. */
  end: number;
  /** The offset up to which every line is on the disk. */
  durableEnd: number;
  /** The sequence number of the last written or queued line. */
  lastSequence: number;
  /** The folder must be synced before the first answer that relies on this file. */
  isFolderSynced: boolean;
}

const zeros = new Uint8Array(1 << 20);
/** The shortest time between two probes of the disk after it lacked space. */
const spaceProbeMs = 250;

export function journalFileName(number: number): string {
  return `${String(number).padStart(8, "0")}.log`;
}

/** Returns a new file full of zeros. Removes it again when the disk is full. */
export function createJournalFile(disk: Disk, folder: string, name: string, size: number): JournalFile {
  return emptyFile(name, allocate(disk, `${folder}/${name}`, size), size);
}

/**
 * Opens the last file of the journal. Overwrites a torn end with zeros. Rewrites and syncs the lines that no later line
 * marks as synced: after a kill or a failed sync, they may be only in the system's cache.
 */
export function reopenJournalFile(disk: Disk, folder: string, recovered: RecoveredFile): JournalFile {
  const { name, size, end, lastSequence, unmarked, tornBytes } = recovered;
  const file = disk.open(`${folder}/${name}`, "existing");
  if (unmarked.byteLength > 0) writeFully(file, unmarked, end - unmarked.byteLength);
  if (tornBytes > 0) writeZeros(file, end, size);
  if (unmarked.byteLength + tornBytes > 0) file.sync();
  if (unmarked.byteLength > 0) disk.syncFolder(folder);
  return { name, file, size, reserved: end, end, durableEnd: end, lastSequence, isFolderSynced: false };
}

/** A file full of zeros, synced and ready for use. */
interface SpareFile {
  readonly path: string;
  readonly file: DiskFile;
  readonly size: number;
}

/**
 * The next files of the journal. They are made in advance, so that a full disk shows before a transaction needs the space.
 */
export class SpareFiles {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #fileBytes: number;
  #spare: SpareFile | undefined;
  #preparing: Promise<void> | undefined;
  #nextProbeAt = 0;
  /** The error of the last attempt to reserve space. */
  #refusal: unknown;

  /** Removes the spare files of an earlier process, which may be incomplete. */
  constructor(disk: Disk, folder: string, fileBytes: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    for (const name of disk.list(folder)) if (name.startsWith("spare")) disk.remove(`${folder}/${name}`);
  }

  /** Returns a file of at least `needed` bytes under its final name. Throws when the disk has no room for one. */
  take(name: string, needed: number): JournalFile {
    const spare = this.#spare;
    const next = spare !== undefined && spare.size >= needed ? spare : this.#allocateNow(needed);
    try {
      this.#disk.rename(next.path, `${this.#folder}/${name}`);
    } catch (error) {
      if (next !== spare) discard(this.#disk, next.path, next.file);
      throw error;
    }
    if (next === spare) this.#spare = undefined;
    return emptyFile(name, next.file, next.size);
  }

  /** Prepares a spare file off the event loop, unless there is one. */
  prepare(): void {
    if (this.#spare !== undefined || this.#preparing !== undefined || performance.now() < this.#nextProbeAt) return;
    this.#preparing = this.#prepare().finally(() => {
      this.#preparing = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#preparing;
    this.#spare?.file.close();
  }

  /** Allocates a file synchronously, when no spare is ready or the line is larger than a spare. */
  #allocateNow(needed: number): SpareFile {
    const now = performance.now();
    if (now < this.#nextProbeAt) throw this.#refusal;
    const size = Math.max(this.#fileBytes, needed);
    const path = `${this.#folder}/spare-now.log`;
    try {
      return { path, file: allocate(this.#disk, path, size), size };
    } catch (error) {
      this.#nextProbeAt = now + spaceProbeMs;
      this.#refusal = error;
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    const path = `${this.#folder}/spare.log`;
    let file: DiskFile | undefined;
    try {
      file = this.#disk.open(path, "fresh");
      for (let at = 0; at < this.#fileBytes; at += zeros.byteLength) {
        await writeFullyLater(file, zeros.subarray(0, Math.min(zeros.byteLength, this.#fileBytes - at)), at);
      }
      await file.syncLater();
      this.#spare = { path, file, size: this.#fileBytes };
    } catch (error) {
      // Nothing is lost yet when the disk has no room. The transaction that needs the file tries again.
      this.#nextProbeAt = performance.now() + spaceProbeMs;
      this.#refusal = error;
      discard(this.#disk, path, file);
    }
  }
}

function emptyFile(name: string, file: DiskFile, size: number): JournalFile {
  return { name, file, size, reserved: 0, end: 0, durableEnd: 0, lastSequence: 0, isFolderSynced: false };
}

/** Returns a synced file full of zeros. Removes it again when the disk is full. */
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

/** Removes an unused file. If that fails, the next start removes it. */
function discard(disk: Disk, path: string, file: DiskFile | undefined): void {
  try {
    file?.close();
    disk.remove(path);
  } catch {
    // The first error matters more.
  }
}
