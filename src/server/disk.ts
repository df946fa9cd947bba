import type { Config } from "../config/config.ts";
import { type Disk, systemDisk, withoutSyncs } from "../store/index.ts";

/** The disk of a store: what is in memory needs no syncs. */
export function diskOf({ memory }: Pick<Config, "memory">, seams: { readonly disk?: Disk }): Disk {
  return seams.disk ?? (memory ? withoutSyncs(systemDisk) : systemDisk);
}
