import { exitCodes, StartError } from "../domain/start-error.ts";
import { type Disk, replaceFile } from "./disk.ts";

/** The format that this version reads and writes. A change to it needs a migration. */
export const storeFormat = 2;

/** `DATA/manifest.json`: what makes a folder a store. */
export interface Manifest {
  readonly format: number;
  /** Identity of the store; every journal file names it, so that files of two stores cannot be mixed. */
  readonly store: string;
  readonly created_at: string;
}

/** The manifest, or undefined where there is no store yet. Throws a `StartError` for one that cannot be read. */
export function readManifest(disk: Disk, folder: string): Manifest | undefined {
  const path = `${folder}/manifest.json`;
  if (!disk.exists(path)) return undefined;
  const manifest = parseManifest(new TextDecoder().decode(disk.read(path)));
  if (manifest === undefined) {
    throw new StartError(
      `${path} is damaged: no format, store and created_at in it`,
      "restore the folder from a backup",
      {
        exitCode: exitCodes.damaged,
      },
    );
  }
  if (manifest.format > storeFormat) {
    throw new StartError(
      `${path} says format ${manifest.format}, this version reads up to ${storeFormat}`,
      "start the newer version of Outpost that wrote this folder",
    );
  }
  return manifest;
}

export function writeManifest(disk: Disk, folder: string, manifest: Manifest): void {
  replaceFile(disk, folder, "manifest.json", new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`));
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { format, store, created_at } = value as Partial<Record<keyof Manifest, unknown>>;
  if (typeof format !== "number" || typeof store !== "string" || typeof created_at !== "string") return undefined;
  return { format, store, created_at };
}
