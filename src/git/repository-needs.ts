import type { RepositoryStorage } from "../domain/repository-storage.ts";
import type { ReaderLimits } from "../lib/reader-queue.ts";
import type { RepositoryHistory } from "./copying/history.ts";
import type { RepositoryRef } from "./layout.ts";
import type { PackLimits } from "./packing/limits.ts";

/** Requests that read repositories. The server closes a connection that is silent for longer than half a minute. */
export const readerLimits: ReaderLimits = {
  running: 16,
  runningStrangers: 4,
  runningOfName: 4,
  open: 2_048,
  openStrangers: 512,
  openOfName: 128,
  waitMsMax: 20_000,
};

/** The dependencies that the composition root hands in. */
export interface RepositoryNeeds {
  readonly storages: readonly RepositoryStorage[];
  readonly dataFolder: string;
  /** The generation of the store whose documents are open. */
  readonly generation: string;
  /** Whether a repository is read-only now, since it is moved. */
  readonly isReadOnly: (ref: RepositoryRef) => boolean;
  /** Keeps the states of repositories at checkpoints; undefined: the store has none. */
  readonly history?: RepositoryHistory | undefined;
  /** Of received packs; undefined: those that the settings have by default. */
  readonly packLimits?: PackLimits;
  /** The program of the thread: `copying/worker.ts`. */
  readonly copyingWorker: URL;
  /** The program of the threads that make and check packs: `work/worker.ts`. */
  readonly packWorker: URL;
}
