import type { Log } from "../../lib/log.ts";
import { Blobs } from "../blobs.ts";
import { systemDisk } from "../disk.ts";
import { Journal } from "../journal/journal.ts";
import type { RequireMemory } from "../journal/memory.ts";
import type { SnapshotNeeds } from "../maintenance/snapshot.ts";
import { Checkpointer } from "../segments/checkpointer.ts";
import type { StoredCollection } from "../stored-collection.ts";
import { partsFolderOf } from "./generations.ts";
import { journalFolderOf, loadCollections } from "./loading.ts";
import { type FolderLock, lockFolder } from "./lock.ts";
import { prepareFolder, prepareManifest, removeLeftovers, warnOfTornEnd } from "./opening.ts";
import type { StoreOptions } from "./options.ts";
import { toStartError } from "./start-errors.ts";

const journalFileBytes = 8 << 20;

/** The parts of a store besides its documents. */
export interface StoreParts extends SnapshotNeeds {
  readonly lock: FolderLock;
  readonly log: Log;
  readonly requireMemory: RequireMemory;
  readonly onDamage: (found: string) => void;
}

/** Opens the parts of a store, for `Store.open`. */
export async function openParts(
  options: StoreOptions,
): Promise<{ readonly collections: ReadonlyMap<string, StoredCollection>; readonly parts: StoreParts }> {
  const { folder: dataFolder, draft, log, disk = systemDisk } = options;
  const lock = draft === undefined ? prepareFolder(disk, dataFolder, options.lock ?? lockFolder) : { release() {} };
  try {
    const manifest = prepareManifest(disk, options);
    const { store, generation } = manifest;
    const folder = partsFolderOf(dataFolder, generation);
    disk.makeFolder(journalFolderOf(folder));
    let journal: Journal | undefined;
    const writer = {
      disk,
      lastSequence: () => journal?.lastSequence ?? 0,
      settled: () => journal?.settled(),
      keepsLogsOpen: manifest.sandbox === true,
    };
    const { collections, recovered } = await loadCollections({ ...options, folder }, store, writer);
    warnOfTornEnd(recovered, log);
    // Until here, a failed start may need these files.
    if (draft === undefined) await removeLeftovers(disk, dataFolder, generation);
    const fileBytes = options.journalFileBytes ?? journalFileBytes;
    const { onDiskFailure } = options;
    const onFileBegun = () => checkpointer.noteJournalFile();
    const journalOptions = { disk, folder: journalFolderOf(folder), store, fileBytes, onDiskFailure, onFileBegun };
    journal = Journal.open(journalOptions, recovered);
    const checkpointer = new Checkpointer(() => collections.values(), journal, log);
    checkpointer.start();
    const blobs = new Blobs(disk, `${folder}/blobs`);
    blobs.removeTemporary();
    const { requireMemory = () => {}, onDamage = failOnDamage } = options;
    const own = { lock, log, requireMemory, onDamage };
    return { collections, parts: { disk, folder, manifest, journal, checkpointer, blobs, ...own } };
  } catch (error) {
    lock.release();
    throw toStartError(dataFolder, error);
  }
}

function failOnDamage(found: string): never {
  throw new Error(found);
}
