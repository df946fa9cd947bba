import { version } from "../../../package.json" with { type: "json" };
import { exitCodes, StartError } from "../../domain/start-error.ts";
import { type Disk, replaceFile } from "../disk.ts";

/** The format that this version reads and writes. A change to it needs a migration. */
export const storeFormat = 2;

/** `DATA/manifest.json`: what makes a folder a store. */
export interface Manifest {
  readonly format: number;
  /** Identity of the store; every journal file names it, so that files of two stores cannot be mixed. */
  readonly store: string;
  readonly created_at: string;
  /** The version of Outpost that brought the store to its format; older ones did not say. */
  readonly written_by?: string;
}

/** Where a whole store waits to take the place of what is in the folder. */
export function arrivingFolderOf(folder: string): string {
  return `${folder}/arriving`;
}

/** The words of whoever makes a store, in the folder where it is gathered and waits. */
export const commandName = "command";

/** Whether a store waits there; a folder of that name that somebody else made is none of ours. */
export function isArriving(disk: Disk, folder: string): boolean {
  return disk.exists(`${arrivingFolderOf(folder)}/${commandName}`);
}

/**
 * The manifest, or undefined where there is no store yet. Throws a `StartError` for one that cannot be read, and while a store
 * is halfway in its place.
 */
export function readManifest(disk: Disk, folder: string): Manifest | undefined {
  if (isArriving(disk, folder)) {
    throw new StartError(
      `the last step of making the store in ${folder} was cut off`,
      `outpost serve --data ${folder}, which takes it`,
    );
  }
  const path = `${folder}/manifest.json`;
  if (!disk.exists(path)) return undefined;
  const manifest = parseManifest(new TextDecoder().decode(disk.read(path)));
  if (manifest === undefined) {
    throw new StartError(
      `${path} is damaged: no format, store and created_at in it`,
      `outpost restore FILE --data DIR, from a backup into another folder`,
      { exitCode: exitCodes.damaged },
    );
  }
  if (manifest.format > storeFormat) {
    throw new StartError(
      `the store in ${folder} was written by ${manifest.written_by ?? "a newer version"}, this is ${version}: ` +
        `its format is ${manifest.format}, and ${storeFormat} is the last that is known here`,
      `outpost version, of another executable: ${manifest.written_by ?? "the version that wrote it"} or newer`,
    );
  }
  return manifest;
}

export function writeManifest(disk: Disk, folder: string, manifest: Manifest): void {
  const text = `${JSON.stringify({ ...manifest, written_by: version }, null, 2)}\n`;
  replaceFile(disk, folder, "manifest.json", new TextEncoder().encode(text));
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { format, store, created_at, written_by } = value as Partial<Record<keyof Manifest, unknown>>;
  if (typeof format !== "number" || typeof store !== "string" || typeof created_at !== "string") return undefined;
  return { format, store, created_at, ...(typeof written_by === "string" ? { written_by } : {}) };
}
