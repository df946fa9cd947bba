import { version } from "../../../package.json" with { type: "json" };
import { exitCodes, StartError } from "../../domain/start-error.ts";
import { type Disk, replaceFile } from "../disk.ts";
import { isGenerationName, partsFolderOf } from "./generations.ts";

/** The format that this version reads and writes. */
export const storeFormat = 1;

/** `DATA/manifest.json`, the description of a store. */
export interface Manifest {
  readonly format: number;
  /** The identity of the store. Every journal file has it, so that files of two stores cannot be mixed. */
  readonly store: string;
  readonly created_at: string;
  /** The version of Outpost that created the store. */
  readonly written_by: string;
  /** The folder in `DATA/generations` with everything else. */
  readonly generation: string;
  /** True when the store was created as a sandbox. It then stays one. */
  readonly sandbox?: true;
}

/** The location of a store in a data folder. */
export interface StorePlace {
  /** The absolute path of the data folder. */
  readonly folder: string;
  /** A generation that is being made; undefined means the one in use. */
  readonly draft?: string | undefined;
}

const manifestName = "manifest.json";

/** Returns the manifest; undefined where there is no store yet. Throws `StartError` when it cannot be read. */
export function readManifest(disk: Disk, { folder, draft }: StorePlace): Manifest | undefined {
  const path = `${partsFolderOf(folder, draft)}/${manifestName}`;
  if (!disk.exists(path)) return undefined;
  const manifest = parseManifest(new TextDecoder().decode(disk.read(path)));
  if (manifest === undefined) throw damagedManifest(path, "its content is not valid");
  const { format, written_by, generation } = manifest;
  if (format !== storeFormat) {
    throw new StartError(
      `the store in ${folder} was written by ${written_by}, this is ${version}: ` +
        `its format is ${format}, and this version reads format ${storeFormat}`,
      `outpost version, of another executable: ${written_by} or newer`,
    );
  }
  // Throws rather than show an empty store.
  if (!disk.exists(partsFolderOf(folder, generation))) {
    throw damagedManifest(path, `${generation} is not in ${folder}/generations`);
  }
  return manifest;
}

function damagedManifest(path: string, found: string): StartError {
  return new StartError(
    `${path} is damaged: ${found}`,
    "outpost restore FILE --data DIR, from a backup into another folder",
    { exitCode: exitCodes.damaged },
  );
}

/** Replaces the manifest atomically. */
export function writeManifest(disk: Disk, { folder, draft }: StorePlace, manifest: Manifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  replaceFile(disk, partsFolderOf(folder, draft), manifestName, new TextEncoder().encode(text));
}

/**
 * Writes the manifest of an archive into a generation that is being made. Returns false for a manifest of no known format.
 */
export function publishManifest(disk: Disk, folder: string, draft: string, text: string): boolean {
  const manifest = parseManifest(text);
  if (manifest?.format !== storeFormat) return false;
  writeManifest(disk, { folder, draft }, { ...manifest, generation: draft });
  return true;
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { format, store, created_at, written_by, generation, sandbox } = value as Partial<
    Record<keyof Manifest, unknown>
  >;
  if (typeof format !== "number" || !Number.isInteger(format) || format < 1) return undefined;
  if (typeof store !== "string" || typeof created_at !== "string" || typeof written_by !== "string") return undefined;
  if (typeof generation !== "string" || !isGenerationName(generation)) return undefined;
  return { format, store, created_at, written_by, generation, ...(sandbox === true ? { sandbox } : {}) };
}
