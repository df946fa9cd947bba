import { systemClock } from "../../../src/domain/clock.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { collections } from "../../../src/modules/index.ts";
import { type Disk, Store } from "../../../src/store/index.ts";
import { sequences } from "../../../src/store/sequences.ts";

/** All documents by `collection/id`. */
export type Documents = ReadonlyMap<string, unknown>;

export interface OpenedStore {
  readonly store: Store;
  readonly warnings: readonly string[];
}

/** Opens a folder as `serve` does, in this process. Throws what `serve` would end with. */
export async function openKeptStore(disk: Disk, folder: string): Promise<OpenedStore> {
  const warnings: string[] = [];
  const warn = (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
  const store = await Store.open({
    folder,
    collections,
    clock: systemClock,
    randomness: systemRandomness,
    log: { debug() {}, info() {}, warn, error: warn },
    disk,
    lock: () => ({ release() {} }),
    onDiskFailure: (error) => {
      throw error;
    },
  });
  return { store, warnings };
}

/** The first document that is not as in `wanted`, or too many; undefined when the store holds exactly these. */
export function differenceFrom(wanted: Documents, store: Store): string | undefined {
  const counts = new Map<string, number>();
  for (const [key, document] of wanted) {
    const [name = ""] = key.split("/");
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const [problem] = problemOf(store, key, document);
    if (problem !== undefined) return problem;
  }
  for (const { name } of [...collections, sequences]) {
    const { size } = documentsOf(store, name);
    if (size !== (counts.get(name) ?? 0)) return `${size} ${name} where ${counts.get(name) ?? 0} belong`;
  }
  return undefined;
}

/** All that a sound store holds. */
export function documentsOfStore(store: Store): Documents {
  const documents = new Map<string, unknown>();
  for (const { name } of [...collections, sequences]) {
    const kept = documentsOf(store, name);
    for (let id = 1, found = 0; found < kept.size; id += 1) {
      const document = kept.get(id);
      if (document === undefined) continue;
      documents.set(`${name}/${id}`, document);
      found += 1;
    }
  }
  return documents;
}

/** Why a document is not as it was: what reading it threw, or that it is another one. */
export function problemOf(store: Store, key: string, document: unknown): string[] {
  const [name = "", id] = key.split("/");
  try {
    return Bun.deepEquals(documentsOf(store, name).get(Number(id)), document, true) ? [] : [`${key} is not as it was`];
  } catch (error) {
    return [String(error)];
  }
}

function documentsOf(store: Store, name: string): { readonly size: number; get(id: number): unknown } {
  if (name === sequences.name) return store.of(sequences);
  const declared = collections.find((each) => each.name === name);
  if (declared === undefined) throw new Error(`no collection ${name}`);
  return declared.kind === "log" ? store.logOf(declared) : store.of(declared);
}
