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

/** The options of an opened store. */
export interface StoreOptions extends StorePlace {
  /** Every collection of the modules, in any order. */
  readonly collections: readonly AnyCollectionDeclaration[];
  readonly clock: Pick<Clock, "now">;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly disk?: Disk;
  /** True makes a new store a sandbox, and requires that an existing one is one. */
  readonly sandbox?: boolean;
  /**
   * Locks the folder; default: the system's lock. Tests with a simulated disk take none, and a server or the maker of a
   * draft holds the lock already.
   */
  readonly lock?: ((folder: string) => FolderLock) | undefined;
  readonly requireMemory?: RequireMemory;
  readonly journalFileBytes?: number;
  /** Decides when opening pauses for other work; default: every 50 ms. */
  readonly pace?: Pace;
  readonly onProgress?: OnStoreProgress | undefined;
  /** Called when the disk failed under a write that was visible already. The process must end without another answer. */
  readonly onDiskFailure: (error: unknown) => void;
  /** Called when the background work found corruption, which it describes. The process must end, as at a start. */
  readonly onDamage?: ((found: string) => void) | undefined;
}
