import { exitCodes, StartError } from "../domain/start-error.ts";
import { hasControlCharacter } from "../lib/text/text.ts";

/** Written into every archive; a newer one is refused. */
export const archiveFormat = 1;

/** The first file of an archive: its description of itself. */
export interface ArchiveHeader {
  readonly outpost_backup: number;
  /** Release that made it. */
  readonly release: string;
  readonly created_at: string;
  /** Identity and format of the store. */
  readonly store: string;
  readonly store_format: number;
  /** Number of the last transaction in it. */
  readonly journal_position: number;
  /** Names of the storages whose repositories are in it. */
  readonly storages: readonly string[];
}

/** The last file of an archive, which proves that it is whole. */
export interface ArchiveManifest extends ArchiveHeader {
  readonly files: number;
  /** The size of all files together. */
  readonly bytes: number;
  /** Lists of the files before them. */
  readonly lists: readonly ListedFile[];
}

/** A file as a list names it. */
export interface ListedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

export const headerName = "outpost-backup.json";
export const manifestName = "manifest.json";
/** The number of files before each list: memory never holds more of them. */
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

/** The target of a file of an archive: below the data folder, or below the folder of a storage. */
export type Place =
  | { readonly kind: "data"; readonly path: string }
  | { readonly kind: "repository"; readonly storage: string; readonly path: string };

/** undefined for a name that no backup holds: whatever would lead out of its folder is one. */
export function placeOf(name: string): Place | undefined {
  if (dataName.test(name)) return { kind: "data", path: name.slice("data/".length) };
  const [, storage, path, inside] = repositoryName.exec(name) ?? [];
  if (storage === undefined || path === undefined || inside === undefined) return undefined;
  if (inside.includes("\\") || hasControlCharacter(inside)) return undefined;
  if (inside.split("/").some((part) => part === "" || part === "." || part === "..")) return undefined;
  return { kind: "repository", storage, path };
}

/** The hint for an archive that cannot be used. */
export const anotherArchive = "outpost backup --verify FILE, of another archive";

/** The archive is not what a backup wrote. */
export function unreadable(found: string): StartError {
  return new StartError(`the archive cannot be used: ${found}`, anotherArchive, {
    exitCode: exitCodes.damaged,
  });
}
