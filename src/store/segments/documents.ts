import { StartError } from "../../domain/start-error.ts";
import { Blobs } from "../blobs.ts";
import { type CollectionDeclaration, type IndexDeclarations, MemoryCollection } from "../collection.ts";
import type { StoredDocument } from "../indexes/index.ts";
import type { LogCollection } from "../logs/log-collection.ts";
import type { CheckOptions } from "../maintenance/check.ts";
import { partsFolderOf } from "../opening/generations.ts";
import { type AnyCollectionDeclaration, loadCollections } from "../opening/loading.ts";
import { readManifest } from "../opening/manifest.ts";
import { sequences } from "../sequences.ts";
import type { Store } from "../store.ts";
import type { Transaction } from "../transaction.ts";

/** The documents of a stopped store. */
export interface StoppedDocuments {
  /** The number of the last transaction. */
  readonly position: number;
  /** The documents in the order of their ids, by collection name, including the store's own collections. */
  readonly collections: ReadonlyMap<string, Iterable<StoredDocument> & { readonly size: number }>;
  /** The blobs that documents name, by hash, and the paths of their files. */
  readonly blobs: ReadonlyMap<string, string>;
}

/**
 * Reads a store without changing it; the caller holds its lock. Throws `StartError` when there is none, when it is of
 * another format, or damaged.
 */
export async function readDocuments({
  disk,
  folder: dataFolder,
  collections,
  onProgress,
}: Pick<CheckOptions, "disk" | "folder" | "collections" | "onProgress">): Promise<StoppedDocuments> {
  const manifest = readManifest(disk, { folder: dataFolder });
  if (manifest === undefined) throw new StartError(`${dataFolder} holds no store`, "outpost export FOLDER --data DIR");
  const folder = partsFolderOf(dataFolder, manifest.generation);
  const writer = {
    ...({ disk, lastSequence: () => 0, settled: () => undefined, isReadOnly: true } as const),
    keepsLogsOpen: manifest.sandbox === true,
  };
  const loaded = await loadCollections({ collections, folder, onProgress }, manifest.store, writer);
  const all = new Map<string, Iterable<StoredDocument> & { readonly size: number }>();
  const paths = new Blobs(disk, `${folder}/blobs`);
  const blobs = new Map<string, string>();
  for (const [name, collection] of loaded.collections) {
    if (collection instanceof MemoryCollection) {
      all.set(name, byId(collection));
      for (const { hash } of collection.namedBlobs()) blobs.set(hash, paths.pathOf(hash));
    } else all.set(name, collection as LogCollection);
  }
  return { position: loaded.recovered.lastSequence, collections: all, blobs };
}

function byId(collection: MemoryCollection): Iterable<StoredDocument> & { readonly size: number } {
  return {
    size: collection.size,
    *[Symbol.iterator]() {
      for (const id of collection.ids) {
        const document = collection.get(id);
        if (document !== undefined) yield document;
      }
    },
  };
}

/** Inserts a document of another store into any collection or log. Throws the errors of `insert`. */
export function insertDocument(tx: Transaction, into: AnyCollectionDeclaration, document: StoredDocument): void {
  // The type fits a log too: the transaction recognises it by its name.
  tx.insert(into as unknown as CollectionDeclaration<StoredDocument, IndexDeclarations<StoredDocument>>, document);
}

/**
 * Makes each sequence continue after the numbers of imported documents; `last` has the largest of each. Throws when the ids
 * of the sequence records are not consecutive from 1.
 */
export function raiseSequences(store: Store, last: ReadonlyMap<string, number>): void {
  const given = store.of(sequences);
  for (let id = 1; id <= given.size; id += 1) {
    if (given.get(id) === undefined)
      throw new StartError(`sequences: ${id} is missing`, "outpost export FOLDER, again");
  }
  store.transact((tx) => {
    for (const [name, number] of last) tx.advanceSequence(name, number);
  });
}
