export { backUpBeforeMigration } from "./before-migration.ts";
export { makeStoreIn, type Staging } from "./empty-folder.ts";
export { archiveBytes, writeArchiveFile } from "./file.ts";
export type { ArchiveManifest } from "./format.ts";
export { readArchive } from "./read.ts";
export { restoreArchive } from "./restore.ts";
export { archiveOfStopped } from "./stopped.ts";
export { type ArchiveProgress, writeArchive } from "./write.ts";
