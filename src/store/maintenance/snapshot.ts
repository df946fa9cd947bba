import { StartError } from "../../domain/start-error.ts";
import { paceOf, takeAtOnce } from "../../lib/yield.ts";
import type { Blobs } from "../blobs.ts";
import type { Disk } from "../disk.ts";
import type { LoggedFile, TransactionLog } from "../journal/journal.ts";
import { readJournal } from "../journal/journal-reader.ts";
import { unavailableIfFull } from "../journal/space.ts";
import { partsFolderOf } from "../opening/generations.ts";
import { type Manifest, readManifest } from "../opening/manifest.ts";
import type { Checkpointer } from "../segments/checkpointer.ts";

/** A file of a snapshot. It does not change until the snapshot is released. */
export interface SnapshotFile {
  /** The path within a generation, such as `documents/users/000000.json`. */
  readonly name: string;
  /** The path of the file to read. */
  readonly path: string;
  /** The number of bytes to read from the start of the file; undefined means all. */
  readonly bytes?: number | undefined;
}

/** All documents, logs and blobs as of one transaction. The store goes on meanwhile. */
export interface StoreSnapshot {
  readonly manifest: Manifest;
  /** The number of its last transaction. */
  readonly position: number;
  /**
   * Yields all files but the manifest. It lists the folder of blobs late, so blobs may be among them that are newer than the
   * snapshot and that none of its documents names.
   */
  files(): Iterable<SnapshotFile>;
  /** Releases the files. A second call does nothing. */
  release(): Promise<void>;
}

/** Returns the folder for snapshots of a running store. A killed process leaves its snapshots there. */
export function snapshotsFolderOf(folder: string): string {
  return `${folder}/snapshots`;
}

export interface SnapshotNeeds {
  readonly disk: Disk;
  /** The folder of the generation in use. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly journal: TransactionLog;
  readonly checkpointer: Checkpointer;
  readonly blobs: Blobs;
}

/** The unreleased snapshots of one store. */
export class Snapshots {
  readonly #needs: SnapshotNeeds;
  readonly #taken = new Set<StoreSnapshot>();
  #lastNumber = 0;

  constructor(needs: SnapshotNeeds) {
    this.#needs = needs;
  }

  /**
   * Makes hard links to all segment files while none is being written, and then to the journal files. Calls `atPosition` at
   * that moment. The store only ever replaces files, so the links keep the old content. Everything up to the position is
   * durable when the promise resolves.
   */
  async take(atPosition: () => void): Promise<StoreSnapshot> {
    const { disk, folder, manifest, blobs } = this.#needs;
    this.#lastNumber += 1;
    const own = `${snapshotsFolderOf(folder)}/${this.#lastNumber}`;
    const freeBlobs = blobs.hold();
    let released: Promise<void> | undefined;
    const release = () => {
      freeBlobs();
      released ??= disk.removeFolderLater(own);
      return released;
    };
    try {
      const { position, journal } = await this.#link(own, atPosition);
      const snapshot: StoreSnapshot = {
        manifest,
        position,
        *files() {
          yield* journal;
          yield* filesBelow(disk, own, ["documents", "logs"]);
          yield* blobFiles(disk, folder);
        },
        // Closing the store waits until the files are removed.
        release: () => release().finally(() => this.#taken.delete(snapshot)),
      };
      this.#taken.add(snapshot);
      return snapshot;
    } catch (error) {
      await release();
      throw unavailableIfFull(error);
    }
  }

  /** Releases all snapshots. A snapshot that is still being read loses its files. */
  async close(): Promise<void> {
    await Promise.all([...this.#taken].map((snapshot) => snapshot.release()));
  }

  #link(own: string, atPosition: () => void): Promise<{ position: number; journal: readonly SnapshotFile[] }> {
    const { disk, folder, journal, checkpointer } = this.#needs;
    return checkpointer.holdWhile(async () => {
      await linkSegments(disk, folder, own);
      const position = journal.lastSequence;
      atPosition();
      const logged = journal.files();
      linkJournal(disk, folder, own, logged);
      await journal.settled();
      return { position, journal: [...journalFiles(disk, own, logged, position)] };
    });
  }
}

/**
 * Returns the files of a stopped store; the caller holds its lock. Throws `StartError` when there is none, when it is of
 * another format, or when its journal is damaged.
 */
export function snapshotOfStopped(disk: Disk, dataFolder: string): StoreSnapshot {
  const manifest = readManifest(disk, { folder: dataFolder });
  if (manifest === undefined) throw new StartError(`${dataFolder} holds no store`, "outpost backup --data DIR");
  const folder = partsFolderOf(dataFolder, manifest.generation);
  const journal = `${folder}/journal`;
  const { files, lastSequence } = takeAtOnce(readJournal(disk, journal, manifest.store, () => undefined));
  return {
    manifest,
    position: lastSequence,
    *files() {
      for (const { name, end } of files) {
        if (end > 0) yield { name: `journal/${name}`, path: `${journal}/${name}`, bytes: end };
      }
      yield* filesBelow(disk, folder, ["documents", "logs"]);
      yield* blobFiles(disk, folder);
    },
    release: async () => undefined,
  };
}

async function linkSegments(disk: Disk, folder: string, own: string): Promise<void> {
  const pace = paceOf(() => false);
  for (const kind of ["documents", "logs"]) {
    for (const collection of disk.list(`${folder}/${kind}`)) {
      disk.makeFolder(`${own}/${kind}/${collection}`);
      for (const name of disk.list(`${folder}/${kind}/${collection}`)) {
        if (name.endsWith(".tmp")) continue;
        disk.link(`${folder}/${kind}/${collection}/${name}`, `${own}/${kind}/${collection}/${name}`);
        await pace();
      }
    }
  }
}

/** Links all files synchronously, before the journal can remove one of them. */
function linkJournal(disk: Disk, folder: string, own: string, files: readonly LoggedFile[]): void {
  disk.makeFolder(`${own}/journal`);
  for (const { name } of files) disk.link(`${folder}/journal/${name}`, `${own}/journal/${name}`);
}

/** Yields the journal files up to a durable transaction. The store may append to the last file meanwhile. */
function* journalFiles(
  disk: Disk,
  own: string,
  files: readonly LoggedFile[],
  position: number,
): Generator<SnapshotFile> {
  for (const { name, durableEnd, lastSequence } of files) {
    const path = `${own}/journal/${name}`;
    const bytes = lastSequence <= position ? durableEnd : endOf(disk.readPart(path, 0, durableEnd), position);
    if (bytes > 0) yield { name: `journal/${name}`, path, bytes };
  }
}

const lineFeed = 10;

/** Returns the offset after a transaction's line, or after the last line before it if it is in a later file. */
function endOf(journal: Uint8Array, position: number): number {
  let end = journal.byteLength;
  while (end > 0) {
    const start = end < 2 ? 0 : journal.lastIndexOf(lineFeed, end - 2) + 1;
    const head = Buffer.from(journal.subarray(start, Math.min(end, start + 40))).toString("latin1");
    const sequence = /^[0-9a-f]{8} \{"t":(\d+),/.exec(head)?.[1];
    if (sequence !== undefined && Number(sequence) <= position) return end;
    end = start;
  }
  return 0;
}

function* filesBelow(disk: Disk, folder: string, kinds: readonly string[]): Generator<SnapshotFile> {
  for (const kind of kinds) {
    for (const collection of disk.list(`${folder}/${kind}`)) {
      for (const file of disk.list(`${folder}/${kind}/${collection}`)) {
        const name = `${kind}/${collection}/${file}`;
        if (!file.endsWith(".tmp")) yield { name, path: `${folder}/${name}` };
      }
    }
  }
}

function* blobFiles(disk: Disk, folder: string): Generator<SnapshotFile> {
  for (const prefix of disk.list(`${folder}/blobs`)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
    for (const hash of disk.list(`${folder}/blobs/${prefix}`)) {
      const name = `blobs/${prefix}/${hash}`;
      yield { name, path: `${folder}/${name}` };
    }
  }
}
