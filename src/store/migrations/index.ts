import { version } from "../../../package.json" with { type: "json" };
import type { Log } from "../../lib/log.ts";
import type { Disk } from "../disk.ts";
import { type Manifest, type StorePlace, storeFormat, writeManifest } from "../opening/manifest.ts";
import { auditEventsBecomeALog } from "./002-audit-events-become-a-log.ts";
import { storesGetGenerations } from "./003-stores-get-generations.ts";
import { renamedStoredNames } from "./004-names-follow-the-code.ts";

/**
 * One step from a format to the next. It runs under the lock, before anything is loaded, and may be cut off at any
 * instant: run again, it must end in the same state.
 */
export interface Migration {
  readonly to: number;
  readonly description: string;
  /** Resolves to the manifest with what changes in it; the next step begins once it has replaced the old one. */
  run(disk: Disk, folder: string, manifest: Manifest): Promise<Manifest>;
}

/** The manifest of a store in the format of this version. */
export type CurrentManifest = Manifest & { readonly generation: string };

const migrations: readonly Migration[] = [auditEventsBecomeALog, storesGetGenerations, renamedStoredNames];

/** Steps that a store of this format still needs. */
export function pendingMigrations(format: number): readonly Migration[] {
  return migrations.filter((migration) => migration.to > format);
}

/** Brings a store to the format of this version, a step at a time; the manifest says how far it came. */
export async function migrate(disk: Disk, place: StorePlace, manifest: Manifest, log: Log): Promise<CurrentManifest> {
  let current = manifest;
  for (const migration of pendingMigrations(manifest.format)) {
    log.info({ from: current.format, to: migration.to }, `migrating the store: ${migration.description}`);
    const changed = await migration.run(disk, place.folder, current);
    current = { ...changed, format: migration.to, written_by: version };
    writeManifest(disk, place, current);
  }
  if (current.format !== storeFormat || current.generation === undefined) {
    throw new Error(`no migration leads to format ${storeFormat}`);
  }
  return { ...current, generation: current.generation };
}
