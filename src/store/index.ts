export { Bitmap } from "./bitmap.ts";
export type { BlobDraft, StoredBlob } from "./blobs.ts";
export { checkStore, type Finding } from "./check.ts";
export type { CollectionDeclaration, Documents, IndexDeclarations, Watcher } from "./collection.ts";
export { collection } from "./collection.ts";
export type { Condition } from "./condition.ts";
export type { Disk, DiskFile } from "./disk.ts";
export { replaceFile, systemDisk, withoutSyncs } from "./disk.ts";
export {
  everyCollection,
  insertDocument,
  raiseSequences,
  readDocuments,
  type StoppedDocuments,
} from "./documents.ts";
export type { IdSet } from "./id-set.ts";
export type { StoredDocument } from "./indexes/index.ts";
export { bitmap, multi, ordered, text, unique } from "./indexes/index.ts";
export type { AnyCollectionDeclaration } from "./loading.ts";
export { addressOfHolder, FolderIsHeld, lockFolder, noteAddress } from "./lock.ts";
export type { LogDeclaration, LogDocuments, LogQuery } from "./log-collection.ts";
export { log } from "./log-collection.ts";
export { logMarks } from "./log-marks.ts";
export { arrivingFolderOf, commandName, isArriving, type Manifest, readManifest, storeFormat } from "./manifest.ts";
export { type Migration, pendingMigrations } from "./migrations/index.ts";
export { noteCommand, restoringFolderOf } from "./opening.ts";
export type { StoreOptions } from "./options.ts";
export type { Query } from "./query.ts";
export { lastIdOf, type SequenceRecord, sequences } from "./sequences.ts";
export { type SnapshotFile, type StoreSnapshot, snapshotOfStopped } from "./snapshot.ts";
export type { StoreStatistics } from "./statistics.ts";
export { Store } from "./store.ts";
export type { Transaction } from "./transaction.ts";
export { explainUnusable } from "./unusable.ts";
export { type DiskSpace, diskSpaceOf } from "./write-obstacle.ts";
