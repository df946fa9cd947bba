import { exitCodes, StartError } from "../../domain/start-error.ts";
import { openingPace, type Pace, takeSteps } from "../../lib/yield.ts";
import { type CollectionDeclaration, type IndexDeclarations, MemoryCollection } from "../collection.ts";
import { corruptionError } from "../corruption.ts";
import type { Disk } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import type { TransactionLine } from "../journal/journal-line.ts";
import { type RecoveredJournal, readJournal } from "../journal/journal-reader.ts";
import type { LogDeclaration } from "../logs/declaration.ts";
import { LogCollection } from "../logs/log-collection.ts";
import { type LogWatermark, logWatermarks } from "../logs/log-watermarks.ts";
import { checkpointChanges, checkpoints } from "../maintenance/checkpoint-records.ts";
import { type SegmentWriterOptions, segmentNumbersIn } from "../segments/segment-file.ts";
import { sequences } from "../sequences.ts";
import type { StoredCollection } from "../stored-collection.ts";
import type { OnStoreProgress } from "./progress.ts";

/** Returns the store's own collections and those of the modules. */
export function everyCollection(declared: readonly AnyCollectionDeclaration[]): readonly AnyCollectionDeclaration[] {
  const own = [sequences, logWatermarks, checkpoints, checkpointChanges] as unknown as AnyCollectionDeclaration[];
  return [...own, ...declared];
}

/** Any collection or log, when the type of its documents does not matter. */
export type AnyCollectionDeclaration = CollectionDeclaration<never, IndexDeclarations<never>> | LogDeclaration<never>;

export interface LoadOptions {
  readonly folder: string;
  readonly collections: readonly AnyCollectionDeclaration[];
  /** Decides when loading pauses for other work. */
  readonly pace?: Pace | undefined;
  /** Called for every file of documents that is read, and for every step of the indexes. */
  readonly onProgress?: OnStoreProgress | undefined;
}

export interface Loaded {
  readonly collections: ReadonlyMap<string, StoredCollection>;
  readonly recovered: RecoveredJournal;
}

/**
 * Loads the segments, replays the journal over them and builds the unique indexes. Removes only temporary files. Throws
 * `corruptionError` for any corruption.
 */
export async function loadCollections(
  { collections: declarations, folder, pace = openingPace(), onProgress = () => undefined }: LoadOptions,
  store: string,
  writer: SegmentWriterOptions,
): Promise<Loaded> {
  const collections = new Map<string, StoredCollection>();
  for (const declared of everyCollection(declarations)) {
    if (collections.has(declared.name)) throw new Error(`two collections ${declared.name}`);
    collections.set(declared.name, build(declared, folder, writer));
  }
  const onDisk = collectionsOnDisk(writer.disk, folder, collections);
  const files = onDisk.map((collection) => ({ collection, names: collection.fileNames() }));
  const count = files.reduce((sum, { names }) => sum + segmentNumbersIn(names).length, 0);
  const loaded = counting(pace, count, (done, total) => onProgress("reading the store", "files", done, total));
  for (const { collection, names } of files) await collection.load(names, loaded);
  const replayed = readJournal(writer.disk, journalFolderOf(folder), store, (line) => replay(collections, line));
  const recovered = await takeSteps(replayed, pace);
  refuseSegmentsAhead(collections, recovered.lastSequence);
  if (writer.keepsLogsOpen !== true) hideDropped(collections);
  // The size of a log is unknown before its index is built.
  const filled = [...collections.values()].filter((each) => !(each instanceof MemoryCollection) || each.size > 0);
  const steps = filled.reduce((sum, { indexSteps }) => sum + indexSteps, 0);
  const indexed = counting(pace, steps, (done, total) => onProgress("building indexes", "steps", done, total));
  for (const collection of filled) await takeSteps(collection.buildIndexes(), indexed);
  collectGarbage(collections.values());
  return { collections, recovered };
}

/** Returns the pace with a count of its steps. `total` may be an estimate, which the count does not exceed. */
function counting(pace: Pace, total: number, onStep: (done: number, total: number) => void): Pace {
  let done = 0;
  return () => {
    done = Math.min(total, done + 1);
    onStep(done, total);
    return pace();
  };
}

/** Returns the collections that have a folder. A new store has few, and a lookup of each folder takes a millisecond. */
function collectionsOnDisk(
  disk: Disk,
  folder: string,
  collections: ReadonlyMap<string, StoredCollection>,
): StoredCollection[] {
  const names = new Set(["documents", "logs"].flatMap((part) => disk.list(`${folder}/${part}`)));
  return [...names].map((name) => collections.get(name)).filter((found) => found !== undefined);
}

/** The number of documents from which a full garbage collection takes noticeable time. */
const manyDocuments = 50_000;

/** Starts a garbage collection, since loading leaves as much garbage as data. It runs beside the rest of the start. */
function collectGarbage(collections: Iterable<StoredCollection>): void {
  let documents = 0;
  for (const { size } of collections) documents += size;
  if (documents > manyDocuments) Bun.gc(false);
}

export function journalFolderOf(folder: string): string {
  return `${folder}/journal`;
}

function build(declared: AnyCollectionDeclaration, folder: string, writer: SegmentWriterOptions): StoredCollection {
  if (declared.kind === "log") {
    return new LogCollection(declared as unknown as LogDeclaration<StoredDocument>, `${folder}/logs`, writer);
  }
  const hot = declared as unknown as CollectionDeclaration<StoredDocument, IndexDeclarations<StoredDocument>>;
  return new MemoryCollection(hot, `${folder}/documents`, writer);
}

function replay(collections: ReadonlyMap<string, StoredCollection>, line: TransactionLine): void {
  for (const [name, id, document] of line.o) {
    const collection = collections.get(name);
    if (collection === undefined) {
      throw new StartError(
        `the journal names a collection that this version does not know: ${name}`,
        "outpost version, of another executable: the one that wrote this folder",
        { exitCode: exitCodes.damaged },
      );
    }
    if (collection.savedSequenceOf(id) >= line.t) continue;
    collection.putUnindexed(id, document === null ? undefined : (document as StoredDocument));
    collection.markDirty(id, line.t);
  }
}

/** Hides dropped entries that are still in segment files or the journal. */
function hideDropped(collections: ReadonlyMap<string, StoredCollection>): void {
  for (const { name, below } of collections.get(logWatermarks.name) as MemoryCollection<LogWatermark>) {
    const log = collections.get(name);
    if (log instanceof LogCollection) log.dropBelow(below);
  }
}

/**
 * Throws when a segment is newer than the journal. A segment is published only after the journal holds its changes, so the
 * journal lost its end.
 */
function refuseSegmentsAhead(collections: ReadonlyMap<string, StoredCollection>, lastSequence: number): void {
  for (const collection of collections.values()) {
    const saved = collection.latestSavedSequence();
    if (saved <= lastSequence) continue;
    throw corruptionError(
      collection.folder,
      undefined,
      `it holds transaction ${saved}, the journal ends with ${lastSequence}`,
    );
  }
}
