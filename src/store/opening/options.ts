import type { Clock } from "../../domain/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Randomness } from "../../lib/randomness.ts";
import type { Pace } from "../../lib/yield.ts";
import type { Disk } from "../disk.ts";
import type { RequireMemory } from "../journal/memory.ts";
import type { AnyCollectionDeclaration } from "./loading.ts";
import type { FolderLock } from "./lock.ts";
import type { StorePlace } from "./manifest.ts";
import type { OnStoreProgress } from "./progress.ts";

/** The options with which a store is opened. */
export interface StoreOptions extends StorePlace {
  /** Every collection of the modules; the order does not matter. */
  readonly collections: readonly AnyCollectionDeclaration[];
  readonly clock: Pick<Clock, "now">;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly disk?: Disk;
  /** A new store becomes a sandbox; an existing one has to be one. */
  readonly sandbox?: boolean;
  /**
   * Takes the lock of the folder; the system's when left out. Tests with an imitated disk take none, and a server has taken it
   * before. The maker of a draft holds it already.
   */
  readonly lock?: ((folder: string) => FolderLock) | undefined;
  readonly requireMemory?: RequireMemory;
  readonly journalFileBytes?: number;
  /** Decides when opening pauses for other work; when left out, after every 50 ms. */
  readonly pace?: Pace;
  readonly onProgress?: OnStoreProgress | undefined;
  /** The disk broke under a write that was already visible: the process must end without any further answer. */
  readonly onDiskFailure: (error: unknown) => void;
  /** The background found damage, which it describes: the process must end as a start does that finds some. */
  readonly onDamage?: ((found: string) => void) | undefined;
}
