import type { Config } from "../config/config.ts";
import { type Disk, systemDisk, withoutSyncs } from "../store/index.ts";

/** Returns the disk of a store. A store in memory needs no syncs. */
export function diskOf({ memory }: Pick<Config, "memory">, overrides: { readonly disk?: Disk }): Disk {
  return overrides.disk ?? (memory ? withoutSyncs(systemDisk) : systemDisk);
}
