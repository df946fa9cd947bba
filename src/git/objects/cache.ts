import { BoundedCache, type CacheLimits, textBytes } from "../../lib/bounded-cache.ts";
import type { LineCounts } from "../diff/count-changes.ts";
import type { Commit, TreeEntry } from "./objects.ts";
import type { PackIndex } from "./pack-index.ts";
import type { DeltaBase } from "./packs.ts";

/** Trees of more bytes are searched for a name without being parsed. */
export const smallTreeBytesMax = 8_192;

/** Trees of more bytes are parsed each time. */
export const cachedTreeBytesMax = 128 << 10;

/** Files of more bytes are unpacked each time. */
export const smallBlobBytesMax = 64 << 10;

const commitBytes = 600;
const treeEntryBytes = 150;
const hashBytes = 100;

const commitLimits: CacheLimits<Commit> = {
  bytesMax: 32 << 20,
  valueBytesMax: 16 << 10,
  bytesOf: ({ message, parent, author, committer }) =>
    commitBytes +
    textBytes(message + author.name + author.email + committer.name + committer.email) +
    100 * parent.length,
};

const treeLimits: CacheLimits<readonly TreeEntry[]> = {
  bytesMax: 32 << 20,
  valueBytesMax: cachedTreeBytesMax,
  bytesOf: (entries) => entries.reduce((sum, { path }) => sum + treeEntryBytes + textBytes(path), 0),
};

/** Caches of the objects of all repositories, by the folder of the repository and the object's id. */
export class ObjectCache {
  readonly commits = new BoundedCache(commitLimits);
  /** SHA-256 of files, by the ids of their blobs. */
  readonly hashes = new BoundedCache<string>({ bytesMax: 8 << 20, valueBytesMax: 1 << 10, bytesOf: () => hashBytes });
  readonly trees = new BoundedCache(treeLimits);
  /** The numbers of lines that commits change: folder and commit. */
  readonly lineCounts = new BoundedCache<LineCounts>({
    bytesMax: 4 << 20,
    valueBytesMax: 1 << 10,
    bytesOf: () => hashBytes,
  });
  /** Small files. Nobody may change the bytes. */
  readonly blobs = new BoundedCache<Uint8Array<ArrayBuffer>>({
    bytesMax: 16 << 20,
    valueBytesMax: smallBlobBytesMax + (1 << 10),
    bytesOf: ({ length }) => length,
  });
  /** The last commit that changed a path: folder, commit and path. */
  readonly lastCommits = new BoundedCache(commitLimits);
  /** Indexes of packs that are in memory, by the paths of their packs. */
  readonly packIndexes = new BoundedCache<PackIndex>({
    bytesMax: 16 << 20,
    valueBytesMax: 2 << 20,
    bytesOf: ({ bytesInMemory }) => bytesInMemory,
  });
  /** Trees that others in the same pack are deltas of: a walk through the history reads them one after the other. */
  readonly deltaBases = new BoundedCache<DeltaBase>({
    bytesMax: 16 << 20,
    valueBytesMax: 128 << 10,
    bytesOf: ({ content }) => content.length,
  });
}
