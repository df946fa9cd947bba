import type { Commit, TreeEntry } from "./objects.ts";

/** Trees of more entries or bytes are read each time. */
const treeEntriesMax = 200;
export const smallTreeBytesMax = 8_192;

/** The newest of many things that never change; the oldest go when there are more. */
export class BoundedCache<T> {
  readonly #values = new Map<string, T>();
  readonly #max: number;
  readonly #isCacheable: (value: T) => boolean;

  constructor(max: number, isCacheable: (value: T) => boolean) {
    this.#max = max;
    this.#isCacheable = isCacheable;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    if (!this.#isCacheable(value)) return;
    if (this.#values.size >= this.#max) this.#values.delete(this.#values.keys().next().value as string);
    this.#values.set(key, value);
  }
}

/** Larger commits are read each time: 16,384 of them take 64 MiB at most. */
const messageLengthMax = 4_096;
const parentsMax = 16;

function isSmallCommit({ message, parent }: Commit): boolean {
  return message.length <= messageLengthMax && parent.length <= parentsMax;
}

/** Caches of the objects of all repositories, by the folder of the repository and the object's id. */
export class ObjectCache {
  readonly commits = new BoundedCache<Commit>(16_384, isSmallCommit);
  /** SHA-256 of files, by the ids of their blobs. */
  readonly hashes = new BoundedCache<string>(16_384, () => true);
  readonly trees = new BoundedCache<readonly TreeEntry[]>(4_096, (entries) => entries.length <= treeEntriesMax);
  /** The last commit that changed a path: folder, commit and path. */
  readonly lastCommits = new BoundedCache<Commit>(16_384, isSmallCommit);
  /** Packs are held whole by the library, so only those of few repositories are. */
  readonly #packs = new Map<string, object>();

  packs(folder: string): object {
    const cached = this.#packs.get(folder) ?? {};
    this.#packs.delete(folder);
    this.#packs.set(folder, cached);
    if (this.#packs.size > 4) this.#packs.delete(this.#packs.keys().next().value as string);
    return cached;
  }
}
