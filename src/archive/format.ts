import { exitCodes, StartError } from "../domain/start-error.ts";
import { hasControlCharacter } from "../lib/text/text.ts";

/** The format version in every archive. Newer ones are refused. */
export const archiveFormat = 1;

/** The first file of an archive, which describes it. */
export interface ArchiveHeader {
  readonly outpost_backup: number;
  /** The release of Outpost that made it. */
  readonly release: string;
  readonly created_at: string;
  /** The id and format of the store. */
  readonly store: string;
  readonly store_format: number;
  /** The number of its last transaction. */
  readonly journal_position: number;
  /** The names of the storages whose repositories it has. */
  readonly storages: readonly string[];
}

/** The last file of an archive. It proves that the archive is complete. */
export interface ArchiveManifest extends ArchiveHeader {
  readonly files: number;
  /** The size of all files together. */
  readonly bytes: number;
  /** The lists, each of which names the files before it. */
  readonly lists: readonly ListedFile[];
}

/** An entry of a list. */
export interface ListedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

export const headerName = "outpost-backup.json";
export const manifestName = "manifest.json";
/** The number of files per list. No more of them are in memory at once. */
export const filesPerList = 4_096;

export function listName(number: number): string {
  return `files/${String(number).padStart(6, "0")}.jsonl`;
}

export function isListName(name: string): boolean {
  return /^files\/\d{6,}\.jsonl$/.test(name);
}

const folderName = "[a-z0-9-]+";
const fileName = "[A-Za-z0-9_-][\\w.-]*";
const dataName = new RegExp(
  `^data/(manifest\\.json|(documents|logs)/${folderName}/${fileName}|journal/\\d{8}\\.log|blobs/[0-9a-f]{2}/[0-9a-f]{64})$`,
);
const repositoryName =
  /^repositories\/([A-Za-z0-9_][\w.-]{0,99})\/(@(?:hashed|snippets)\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}(?:\.wiki)?\.git\/(.+))$/;

/** The target of a file in an archive: below the data folder, or below the folder of a storage. */
export type EntryTarget =
  | { readonly kind: "data"; readonly path: string }
  | { readonly kind: "repository"; readonly storage: string; readonly path: string };

/** Returns the target of a file; undefined for a name that no backup has, such as one that leads out of its folder. */
export function parseEntryName(name: string): EntryTarget | undefined {
  if (dataName.test(name)) return { kind: "data", path: name.slice("data/".length) };
  const [, storage, path, inside] = repositoryName.exec(name) ?? [];
  if (storage === undefined || path === undefined || inside === undefined) return undefined;
  if (inside.includes("\\") || hasControlCharacter(inside)) return undefined;
  if (inside.split("/").some((part) => part === "" || part === "." || part === "..")) return undefined;
  return { kind: "repository", storage, path };
}

/** The hint for an archive that cannot be used. */
export const anotherArchive = "outpost backup --verify FILE, of another archive";

/** Returns the error for an archive that no backup wrote. */
export function unreadable(found: string): StartError {
  return new StartError(`the archive cannot be used: ${found}`, anotherArchive, {
    exitCode: exitCodes.damaged,
  });
}
