import { requestPace, spend } from "../domain/work-budget.ts";
import { sorting } from "../lib/sorting.ts";
import { takeSteps } from "../lib/yield.ts";
import type { PackedRefs } from "./packed-refs.ts";

/** A ref: its name, and the object that it names. */
export type RefEntry = readonly [name: string, oid: string];

/** Steps of making the name and the id of a ref. */
const entrySteps = 30;

/** Entries after which others may have their turn. */
const entriesPerLook = 32;

/** A loose ref that is not packed, and the place of the packed ref that it is before. */
interface Added {
  readonly name: string;
  readonly oid: string;
  readonly place: number;
}

/** The refs of a repository whose names begin alike, in the order of the bytes of their names. */
export class RefList {
  readonly #packed: PackedRefs;
  readonly #from: number;
  readonly #to: number;
  /** The beginning of the full names that the names here leave out. */
  readonly #omitted: string;
  readonly #loose: ReadonlyMap<string, string>;
  readonly #added: readonly Added[];

  private constructor(
    packed: PackedRefs,
    [from, to]: readonly [number, number],
    omitted: string,
    loose: ReadonlyMap<string, string>,
    added: readonly Added[],
  ) {
    this.#packed = packed;
    this.#from = from;
    this.#to = to;
    this.#omitted = omitted;
    this.#loose = loose;
    this.#added = added;
  }

  /** `loose` are refs by their full names that begin with `prefix`; they count before packed ones. `omitted` is left out of all names. */
  static async create(
    packed: PackedRefs,
    loose: ReadonlyMap<string, string>,
    prefix: string,
    omitted: string,
  ): Promise<RefList> {
    const range = [packed.placeOf(Buffer.from(prefix)), packed.placeOf(behindAllWith(prefix))] as const;
    const added = [...loose]
      .filter(([ref]) => packed.indexOf(ref) === undefined)
      .map(([ref, oid]) => ({ ref: Buffer.from(ref), name: ref.slice(omitted.length), oid }));
    const sorted = await takeSteps(
      sorting(added, (one, other) => one.ref.compare(other.ref)),
      requestPace(),
    );
    const placed = sorted.map(({ ref, name, oid }) => ({ name, oid, place: packed.placeOf(ref) }));
    const shown = new Map([...loose].map(([ref, oid]) => [ref.slice(omitted.length), oid]));
    return new RefList(packed, range, omitted, shown, placed);
  }

  get size(): number {
    return this.#to - this.#from + this.#added.length;
  }

  get length(): number {
    return this.size;
  }

  get(name: string): string | undefined {
    const loose = this.#loose.get(name);
    if (loose !== undefined) return loose;
    const index = this.#packed.indexOf(`${this.#omitted}${name}`);
    return index !== undefined && index >= this.#from && index < this.#to ? this.#packed.oidAt(index) : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** The part of the list from `start` on, before `end`. */
  slice(start = 0, end = this.size): RefEntry[] {
    const part: RefEntry[] = [];
    for (let index = Math.max(start, 0); index < Math.min(end, this.size); index += 1) part.push(this.#at(index));
    return part;
  }

  /** The refs that pass a test. Throws `OverBudget`. */
  async filter(test: (name: string, oid: string) => boolean): Promise<RefEntry[]> {
    const pace = requestPace();
    const found: RefEntry[] = [];
    for (let index = 0; index < this.size; index += 1) {
      spend(entrySteps);
      const entry = this.#at(index);
      if (test(...entry)) found.push(entry);
      if (index % entriesPerLook === 0) await pace();
    }
    return found;
  }

  *[Symbol.iterator](): Generator<RefEntry> {
    for (let index = 0; index < this.size; index += 1) yield this.#at(index);
  }

  *keys(): Generator<string> {
    for (const [name] of this) yield name;
  }

  /** A ref beside which none can be called `name`: it is a folder on the disk where the other one is a file. */
  inTheWayOf(name: string): string | undefined {
    for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1)) {
      if (this.has(name.slice(0, end))) return name.slice(0, end);
    }
    const below = this.#placeOf(`${name}/`);
    const [first] = this.slice(below, below + 1);
    return first?.[0].startsWith(`${name}/`) === true ? first[0] : undefined;
  }

  /** The place in the list of the first ref that is not before a name. */
  #placeOf(name: string): number {
    const wanted = Buffer.from(name);
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (Buffer.from(this.#at(middle)[0]).compare(wanted) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #at(index: number): RefEntry {
    const before = this.#addedBefore(index);
    const added = this.#added[before];
    if (added !== undefined && added.place - this.#from + before === index) return [added.name, added.oid];
    const at = this.#from + index - before;
    const name = this.#packed.nameAt(at, this.#omitted.length);
    return [name, this.#loose.get(name) ?? this.#packed.oidAt(at)];
  }

  /** How many of the added refs are before a place in the list. */
  #addedBefore(index: number): number {
    let [from, to] = [0, this.#added.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#added[middle] as Added).place - this.#from + middle < index) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Bytes behind all names that begin with a text, and before all others that are behind it. */
function behindAllWith(prefix: string): Buffer {
  const bytes = Buffer.from(prefix);
  bytes[bytes.length - 1] = (bytes.at(-1) as number) + 1;
  return bytes;
}
