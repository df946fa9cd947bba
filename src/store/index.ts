export type { BlobDraft, StoredBlob } from "./blobs.ts";
export type { CollectionDeclaration, Documents, IndexDeclarations, Watcher } from "./collection.ts";
export { collection } from "./collection.ts";
export type { Disk, DiskFile } from "./disk.ts";
export { replaceFile, systemDisk, withoutSyncs } from "./disk.ts";
export type { StoredDocument } from "./indexes/index.ts";
export { bitmap, multi, ordered, type SumDeclaration, sum, text, tree, unique } from "./indexes/index.ts";
export type { TreePlace } from "./indexes/tree-index.ts";
export { memoryGuard } from "./journal/memory.ts";
export { type DiskSpace, diskSpaceOf } from "./journal/write-refusal.ts";
export { type LogDeclaration, log } from "./logs/declaration.ts";
export type { LogDocuments, LogQuery } from "./logs/log-collection.ts";
export { logWatermarks } from "./logs/log-watermarks.ts";
export { checkStore, type Finding } from "./maintenance/check.ts";
export type { Checkpoint } from "./maintenance/checkpoint-records.ts";
export { type SnapshotFile, type StoreSnapshot, snapshotOfStopped } from "./maintenance/snapshot.ts";
export type { StoreStatistics } from "./maintenance/statistics.ts";
export {
  commandName,
  generationsFolderOf,
  makeGenerationFolder,
  nextGeneration,
  noteCommand,
  otherGenerations,
  partsFolderOf,
  switchTo,
} from "./opening/generations.ts";
export { type AnyCollectionDeclaration, everyCollection } from "./opening/loading.ts";
export { addressOfHolder, FolderIsHeld, type FolderLock, lockFolder, noteAddress } from "./opening/lock.ts";
export {
  type Manifest,
  publishManifest,
  readManifest,
  type StorePlace,
  storeFormat,
  writeManifest,
} from "./opening/manifest.ts";
export { prepareFolder } from "./opening/opening.ts";
export type { StoreOptions } from "./opening/options.ts";
export type { OnStoreProgress } from "./opening/progress.ts";
export { toStartError } from "./opening/start-errors.ts";
export { Bitmap } from "./query/bitmap.ts";
export type { Condition } from "./query/condition.ts";
export type { IdSet } from "./query/id-set.ts";
export type { Query } from "./query/query.ts";
export type { RecordDeclaration } from "./records/declaration.ts";
export { recordFault, unknownFields } from "./records/fault.ts";
export { type Field, field, type RecordOf, record } from "./records/record.ts";
export { lostReferenceOf } from "./records/references.ts";
export { withNewSecrets, withoutSecrets } from "./records/secrets.ts";
export {
  insertDocument,
  raiseSequences,
  readDocuments,
  type StoppedDocuments,
} from "./segments/documents.ts";
export { lastIdOf, type SequenceRecord, sequences } from "./sequences.ts";
export { Store } from "./store.ts";
export type { Transaction } from "./transaction.ts";
