/** The refs of each folder that were deleted during a watch, and the objects that they named. */
export type DeletedRefs = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Collects the refs that are deleted while a long reader works: its older records may name them. */
export class RefDeletions {
  readonly #watchers = new Set<Map<string, Map<string, string>>>();

  /** Collects the refs that are deleted from this call on. The caller must call `end` when it no longer needs them. */
  watch(): { readonly refs: DeletedRefs; end(): void } {
    const refs = new Map<string, Map<string, string>>();
    this.#watchers.add(refs);
    return { refs, end: () => this.#watchers.delete(refs) };
  }

  /**
   * Call it before the deletion, so that a reader that misses the ref finds it here. The first noted target of a ref
   * counts.
   */
  note(folder: string, ref: string, oid: string): void {
    for (const refs of this.#watchers) {
      const ofFolder = refs.get(folder) ?? new Map<string, string>();
      if (!ofFolder.has(ref)) ofFolder.set(ref, oid);
      refs.set(folder, ofFolder);
    }
  }
}

/** The refs that are there with those that went: where both cannot be, `a` beside `a/b`, the former ones are. */
export function withDeleted(
  present: ReadonlyMap<string, string>,
  deleted: ReadonlyMap<string, string> | undefined,
): Map<string, string> {
  if (deleted === undefined) return new Map(present);
  const back = [...deleted].filter(([ref]) => !present.has(ref));
  const names = new Set(back.map(([ref]) => ref));
  const above = new Set(back.flatMap(([ref]) => foldersAbove(ref)));
  const isInTheWay = (ref: string) => above.has(ref) || foldersAbove(ref).some((folder) => names.has(folder));
  const all = [...[...present].filter(([ref]) => !isInTheWay(ref)), ...back];
  return new Map(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAbove(ref: string): string[] {
  const folders: string[] = [];
  for (let end = ref.indexOf("/"); end !== -1; end = ref.indexOf("/", end + 1)) folders.push(ref.slice(0, end));
  return folders;
}
