export type { AnyCollectionDeclaration, CollectionDeclaration, Documents } from "./collection.ts";
export { collection } from "./collection.ts";
export type { Disk, DiskFile } from "./disk.ts";
export { replaceFile, systemDisk } from "./disk.ts";
export type { StoredDocument } from "./indexes/index.ts";
export { bitmap, multi, ordered, unique } from "./indexes/index.ts";
export type { Condition, Query } from "./query.ts";
export { Store, type StoreOptions } from "./store.ts";
export type { Transaction } from "./transaction.ts";
