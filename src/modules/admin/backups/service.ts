import type { ArchiveProgress } from "../../../archive/index.ts";
import { conflict } from "../../../domain/failure.ts";
import { diskPathOf, type RepositoryKind } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { lastIdOf, type Store, sequences } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";

/** The sequences that give the ids of repositories' owners. */
const sequenceOf: Readonly<Record<RepositoryKind, string>> = {
  project: "projects",
  snippet: "snippets",
  group_wiki: "namespaces",
};

/** `outpost-2027-01-31T09-30-00Z.tar.gz` */
export function archiveNameAt(ms: number): string {
  return `outpost-${new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.gz`;
}

/** Resolves at the end of the archive that is being made. One at a time, since each keeps files that would otherwise be removed. */
interface RunningBackup {
  end: Promise<void> | undefined;
}

export const RunningBackup = serviceKey<RunningBackup>("running-backup", () => ({ end: undefined }));

/** Resolves when no archive is being made, or rejects when `signal` is aborted. `onWait` is called when there is one. */
export async function whenFree(context: Context, signal: AbortSignal, onWait: () => void): Promise<void> {
  const running = context.get(RunningBackup);
  if (running.end === undefined) return;
  onWait();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    while (running.end !== undefined) {
      signal.throwIfAborted();
      await Promise.race([running.end, aborted.promise]);
    }
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * An archive of everything as of one moment, a piece at a time, while the server goes on. Until it ends, nothing that it needs
 * is removed: deletions and moves of repositories wait with their files. Throws 503 when there is no space for a snapshot, and 409
 * while another one is made.
 */
export async function* backUp(
  context: Context,
  signal: AbortSignal,
  onProgress?: (progress: ArchiveProgress) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { store, repositories, clock } = context;
  const running = context.get(RunningBackup);
  if (running.end !== undefined) throw conflict("409 Conflict - another backup is on its way");
  const over = Promise.withResolvers<void>();
  running.end = over.promise;
  const end = () => {
    // The next one may have begun while this one was tidying up.
    if (running.end === over.promise) running.end = undefined;
    over.resolve();
  };
  let freeRepositories: (() => void) | undefined;
  let deleted: ReturnType<typeof repositories.watchDeletedRefs> | undefined;
  try {
    freeRepositories = await repositories.holdRemovals();
    const created_at = toDateTime(clock.now());
    const newer = new NewerRepositories(store);
    const snapshot = await store.snapshot(() => {
      newer.begin();
      deleted = repositories.watchDeletedRefs();
    });
    try {
      const source = {
        snapshot,
        storages: repositories.storageFolders,
        isTooNew: (path: string) => newer.has(path.replace(/\.git$/, "")),
        ...(deleted === undefined ? {} : { deletedRefs: deleted.refs }),
      };
      const { writeArchive } = await import("../../../archive/index.ts");
      yield* writeArchive(source, created_at, signal, onProgress);
    } finally {
      end();
      await snapshot.release();
    }
  } finally {
    end();
    deleted?.end();
    freeRepositories?.();
  }
}

/**
 * Repositories whose projects came after the snapshot. A restored store gives their ids once more, and a new project
 * must not find the files of another.
 */
class NewerRepositories {
  readonly #store: Store;
  readonly #paths = new Set<string>();
  readonly #last = new Map<RepositoryKind, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  begin(): void {
    for (const kind of kinds) this.#last.set(kind, this.#lastId(kind));
  }

  /** Ids are given before there are files, so those that were found on the disk are known here. */
  has(path: string): boolean {
    for (const kind of kinds) {
      const last = this.#lastId(kind);
      for (let id = (this.#last.get(kind) ?? 0) + 1; id <= last; id += 1) this.#paths.add(diskPathOf({ kind, id }));
      this.#last.set(kind, last);
    }
    return this.#paths.has(path);
  }

  #lastId(kind: RepositoryKind): number {
    return lastIdOf(this.#store.of(sequences), sequenceOf[kind]);
  }
}

const kinds = Object.keys(sequenceOf) as readonly RepositoryKind[];
