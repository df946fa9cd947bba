export { backUpBeforeMigration } from "./before-migration.ts";
export { type EmptyTarget, makeStoreIn, type Staging } from "./empty-folder.ts";
export { archiveBytes, writeArchiveFile } from "./file.ts";
export type { ArchiveHeader, ArchiveManifest } from "./format.ts";
export { type ArchiveVisitor, readArchive } from "./read.ts";
export { restoreArchive } from "./restore.ts";
export { archiveOfStopped, type StoppedArchive } from "./stopped.ts";
export { type ArchiveProgress, writeArchive } from "./write.ts";
