import { compareUtf8 } from "../../lib/text/unicode.ts";
import { type Steps, stepLength, takeAtOnce } from "../../lib/yield.ts";
import type { TreeEntry } from "./objects.ts";

/** Bytes of an object id behind the name of an entry. */
const oidBytes = 20;
const [space, slash] = [0x20, 0x2f];

/** The place of an entry in the bytes of a tree: `MODE NAME` from `start` to `end`, then a zero byte and the object id, up to `next`. */
interface EntryPlace {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** The entries of a tree in the order of git, from the bytes that git keeps. Throws for bytes that are no tree. */
export function* parsingTree(bytes: Buffer): Steps<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for (const place of placesIn(bytes)) {
    entries.push(entryAt(bytes, place));
    if (entries.length % stepLength === 0) yield;
  }
  return entries;
}

/** The same at once. */
export function treeEntries(bytes: Buffer): TreeEntry[] {
  return takeAtOnce(parsingTree(bytes));
}

/** The entry with a name, without making the others. Throws for bytes that are no tree. */
export function* searchingTree(bytes: Buffer, name: string): Steps<TreeEntry | undefined> {
  const wanted = Buffer.from(` ${name}`);
  let count = 0;
  for (const place of placesIn(bytes)) {
    const { start, end } = place;
    if (bytes.compare(wanted, 0, wanted.length, Math.max(start, end - wanted.length), end) === 0) {
      const entry = entryAt(bytes, place);
      // A name may hold spaces: its end is not all of it.
      if (entry.path === name) return entry;
    }
    count += 1;
    if (count % stepLength === 0) yield;
  }
  return undefined;
}

/** Entries by their names that are new in a tree or replaced; undefined leaves one out. */
export type TreeChanges = ReadonlyMap<string, NewTreeEntry | undefined>;

/** The bytes of a tree with some changes. The other entries stay, byte for byte. */
export function* changingTree(bytes: Buffer, changes: TreeChanges): Steps<Buffer> {
  const names = [...changes.keys()].map((name) => Buffer.from(name));
  const replaced = new Set(names.map((name) => name.toString("latin1")));
  const lengths = new Set(names.map(({ length }) => length));
  const fresh = freshEntries(changes);
  const pieces: Buffer[] = [];
  let [from, nextFresh, count] = [0, 0, 0];
  for (const { start, end, next } of placesIn(bytes)) {
    const nameStart = bytes.indexOf(space, start) + 1;
    if (lengths.has(end - nameStart) && replaced.has(bytes.toString("latin1", nameStart, end))) {
      pieces.push(bytes.subarray(from, start));
      from = next;
    } else {
      let entry = fresh[nextFresh];
      for (; entry !== undefined && isBehind(bytes, { start, nameStart, end }, entry.key); entry = fresh[nextFresh]) {
        pieces.push(bytes.subarray(from, start), entry.bytes);
        from = start;
        nextFresh += 1;
      }
    }
    count += 1;
    if (count % stepLength === 0) yield;
  }
  return Buffer.concat([...pieces, bytes.subarray(from), ...fresh.slice(nextFresh).map((entry) => entry.bytes)]);
}

/** The entries that are new in a tree or replaced, in the order of git. */
function freshEntries(changes: TreeChanges): { readonly key: Buffer; readonly bytes: Buffer }[] {
  const fresh: { readonly key: Buffer; readonly bytes: Buffer }[] = [];
  for (const [name, entry] of changes) {
    if (entry !== undefined) fresh.push({ key: Buffer.from(keyOf(name, entry)), bytes: renderEntry(name, entry) });
  }
  return fresh.sort((one, other) => Buffer.compare(one.key, other.key));
}

/** The bytes that git keeps of entries, in its order. */
export function renderTree(entries: readonly TreeEntry[]): Buffer {
  const keyed = entries.map((entry) => ({ entry, key: keyOf(entry.path, entry) }));
  keyed.sort((one, other) => compareUtf8(one.key, other.key));
  return Buffer.concat(keyed.map(({ entry }) => renderEntry(entry.path, entry)));
}

/** The entry of a tree for a name. */
export type NewTreeEntry = Pick<TreeEntry, "mode" | "oid">;

function renderEntry(name: string, { mode, oid }: NewTreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode.replace(/^0+/, "")} ${name}\0`), Buffer.from(oid, "hex")]);
}

/** Git orders folders as if their names ended with a slash. */
function keyOf(name: string, { mode }: NewTreeEntry): string {
  return typeOf(mode) === "tree" ? `${name}/` : name;
}

/** Whether an entry comes behind a new one of another name. */
function isBehind(
  bytes: Buffer,
  { start, nameStart, end }: { readonly start: number; readonly nameStart: number; readonly end: number },
  key: Buffer,
): boolean {
  const common = Math.min(end - nameStart, key.length);
  const order = bytes.compare(key, 0, common, nameStart, nameStart + common);
  if (order !== 0 || common === key.length) return order >= 0;
  const isTree = typeOf(modeAt(bytes, start, nameStart - 1)) === "tree";
  return isTree && slash > (key[common] as number);
}

function* placesIn(bytes: Buffer): Generator<EntryPlace> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end === -1 || end + oidBytes >= bytes.length) throw new Error("a tree of a repository is broken");
    const next = end + 1 + oidBytes;
    yield { start, end, next };
    start = next;
  }
}

function entryAt(bytes: Buffer, { start, end, next }: EntryPlace): TreeEntry {
  const nameStart = bytes.indexOf(space, start) + 1;
  const mode = modeAt(bytes, start, nameStart - 1);
  return {
    mode,
    path: bytes.toString("utf8", nameStart, end),
    oid: bytes.toString("hex", end + 1, next),
    type: typeOf(mode),
  };
}

function modeAt(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", start, end).padStart(6, "0");
}

function typeOf(mode: string): TreeEntry["type"] {
  return mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";
}
