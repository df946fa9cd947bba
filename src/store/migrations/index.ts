import type { Log } from "../../lib/log.ts";
import type { Disk } from "../disk.ts";
import { type Manifest, storeFormat, writeManifest } from "../opening/manifest.ts";
import { auditEventsBecomeALog } from "./002-audit-events-become-a-log.ts";

/**
 * One step from a format to the next. It runs under the lock, before anything is loaded, and may be cut off at any
 * instant: run again, it must end in the same state.
 */
export interface Migration {
  readonly to: number;
  readonly description: string;
  run(disk: Disk, folder: string): void;
}

const migrations: readonly Migration[] = [auditEventsBecomeALog];

/** Steps that a store of this format still needs. */
export function pendingMigrations(format: number): readonly Migration[] {
  return migrations.filter((migration) => migration.to > format);
}

/** Brings a store to the format of this version, a step at a time; the manifest says how far it came. */
export function migrate(disk: Disk, folder: string, manifest: Manifest, log: Log): Manifest {
  let current = manifest;
  for (const migration of pendingMigrations(manifest.format)) {
    log.info({ from: current.format, to: migration.to }, `migrating the store: ${migration.description}`);
    migration.run(disk, folder);
    current = { ...current, format: migration.to };
    writeManifest(disk, folder, current);
  }
  if (current.format !== storeFormat) throw new Error(`no migration leads to format ${storeFormat}`);
  return current;
}
