/**
 * The objects of one repository for the threads that make and check packs: everything is read synchronously. The event loop of
 * the server uses `objects/` instead.
 */

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { codeOf } from "../durable.ts";
import { applyDeltaNow, type DeltaHeader, deltaHeader } from "../objects/delta.ts";
import { beginningBytes, parseBeginning } from "../objects/inflating.ts";
import type { ObjectType } from "../objects/limits.ts";
import { type LooseHead, parseLooseHeader } from "../objects/loose.ts";
import { type DeltaEntry, entryHeadBytesMin, parseEntryHead, type WholeEntry } from "../objects/pack-entry.ts";
import { countGarbage } from "./garbage.ts";
import { lookUpsMax, TooMuchWork, wholeBytesMax } from "./limits.ts";
import { hexOf } from "./oid-table.ts";
import { OpenPacks, PackFile } from "./pack-file.ts";

export type EntryHead = WholeEntry | Omit<DeltaEntry, "header">;

export const packHeaderBytes = 12;
/** Compressed bytes that unpack to sixteen megabytes at most. */
const unboundedBytesMax = 16 << 10;
/** Bytes of the contents that later deltas are likely to need. */
const cacheBytesMax = 16 << 20;
const chainMax = 4_096;

/** The place of an object. */
export type ObjectPlace = { readonly pack: PackFile; readonly offset: number } | { readonly loose: string };

export interface StoredObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/** A delta whose base is read first. */
interface PackedDelta {
  readonly pack: PackFile;
  readonly head: EntryHead;
  readonly key: string;
}

/** Bytes of a content that count as one more look-up. */
const lookUpBytes = 64 << 10;
/** Packs that are searched as soon as one object is read. */
const lookUpPacks = 16;

/** Closing it closes the packs. */
export class ObjectStore implements Disposable {
  readonly folder: string;
  readonly packs: readonly PackFile[];
  readonly #open = new OpenPacks();
  readonly #cache = new Map<string, StoredObject>();
  #cacheBytes = 0;

  /** `folder` is that of the repository, `received` the path of a pack that is not in it yet, without its ending. */
  constructor(folder: string, received?: string) {
    this.folder = folder;
    const packs = `${folder}/objects/pack`;
    const names = existsSync(packs) ? readdirSync(packs).filter((name) => name.endsWith(".idx")) : [];
    const paths = names.map((name) => `${packs}/${name.slice(0, -".idx".length)}`);
    const found = [...paths, ...(received === undefined ? [] : [received])].map((path) =>
      packIfThere(path, this.#open),
    );
    // The largest pack is likely to have most objects.
    this.packs = found.filter((pack) => pack !== undefined).sort((one, other) => other.count - one.count);
  }

  /** The targets of tags, by the ids of the tags. */
  readonly peeled = new Map<string, Uint8Array | undefined>();
  #lookUpsLeft = Number.POSITIVE_INFINITY;

  /** Limits the look-ups from now on: `find` and `readAt` throw `TooMuchWork` for more. */
  limitLookUps(most = lookUpsMax(this.#objects)): void {
    this.#lookUpsLeft = most;
  }

  /** The objects in packs, and about as many as there are in files of their own. */
  get #objects(): number {
    const sample = `${this.folder}/objects/17`;
    const loose = existsSync(sample) ? 256 * readdirSync(sample).length : 0;
    return this.packs.reduce((sum, { count }) => sum + count, loose);
  }

  #lookUp(count: number): void {
    this.#lookUpsLeft -= count;
    if (this.#lookUpsLeft < 0) throw new TooMuchWork("the request takes too much work at once");
  }

  [Symbol.dispose](): void {
    this.#open.close();
  }

  /** undefined when the repository does not have the object. */
  find(oid: Uint8Array, start = 0): ObjectPlace | undefined {
    this.#lookUp(1 + this.packs.length / lookUpPacks);
    for (const pack of this.packs) {
      const number = pack.find(oid, start);
      if (number !== undefined) return { pack, offset: pack.offset(number) };
    }
    return this.findLoose(oid, start);
  }

  /** The file of its own that an object has. */
  findLoose(oid: Uint8Array, start = 0): { readonly loose: string } | undefined {
    const hex = hexOf(oid, start);
    const loose = `${this.folder}/objects/${hex.slice(0, 2)}/${hex.slice(2)}`;
    return existsSync(loose) ? { loose } : undefined;
  }

  /** The repository has no objects. */
  get isEmpty(): boolean {
    this.#isEmpty ??= this.packs.length === 0 && !hasLooseObjects(`${this.folder}/objects`);
    return this.#isEmpty;
  }

  #isEmpty: boolean | undefined;

  isDelta(place: ObjectPlace): boolean {
    return !("loose" in place) && "base" in entryAt(place.pack, place.offset);
  }

  /** Type and size of an object. Throws for one that is damaged. */
  headOf(place: ObjectPlace): { readonly type: ObjectType; readonly size: number } {
    if ("loose" in place) return looseHeadOf(place.loose);
    const first = entryAt(place.pack, place.offset);
    const size = "base" in first ? deltaHeaderAt(place.pack, first).resultBytes : first.size;
    let at: ObjectPlace = place;
    for (let steps = 0; steps < chainMax; steps += 1) {
      if ("loose" in at) return { type: looseHeadOf(at.loose).type, size };
      const entry: EntryHead = entryAt(at.pack, at.offset);
      if (!("base" in entry)) return { type: entry.type, size };
      at = this.#baseOf(at.pack, entry.base);
    }
    throw damaged();
  }

  /** The whole object; undefined when there is none. Throws for one that is damaged or has more than `wholeBytesMax`. */
  read(oid: Uint8Array, start = 0): StoredObject | undefined {
    const place = this.find(oid, start);
    return place === undefined ? undefined : this.readAt(place);
  }

  readAt(place: ObjectPlace): StoredObject {
    const deltas: PackedDelta[] = [];
    let found = this.#readOrDescend(place, deltas);
    for (const { pack, head, key } of deltas.reverse()) {
      const delta = inflateEntry(pack, head);
      if ((deltaHeader(delta)?.resultBytes ?? 0) > wholeBytesMax) throw new Error("an object of a pack is too large");
      found = { type: found.type, content: applyDeltaNow(found.content, delta) };
      countGarbage(delta.length + found.content.length);
      this.#keep(key, found);
    }
    this.#lookUp(found.content.length / lookUpBytes);
    return found;
  }

  /** Finds what the last of the deltas is applied to. */
  #readOrDescend(place: ObjectPlace, deltas: PackedDelta[]): StoredObject {
    let at = place;
    while (deltas.length < chainMax) {
      if ("loose" in at) return readLoose(at.loose);
      const key = `${at.pack.path} ${at.offset}`;
      const cached = this.#cached(key);
      if (cached !== undefined) return cached;
      const head = entryAt(at.pack, at.offset);
      if (!("base" in head)) {
        const found = { type: head.type, content: inflateEntry(at.pack, head) };
        countGarbage(found.content.length);
        this.#keep(key, found);
        return found;
      }
      deltas.push({ pack: at.pack, head, key });
      at = this.#baseOf(at.pack, head.base);
    }
    throw damaged();
  }

  #baseOf(pack: PackFile, base: number | string): ObjectPlace {
    if (typeof base === "number") return { pack, offset: base };
    const oid = Buffer.from(base, "hex");
    const number = pack.find(oid);
    const place = number === undefined ? this.find(oid) : { pack, offset: pack.offset(number) };
    if (place === undefined) throw damaged();
    return place;
  }

  #cached(key: string): StoredObject | undefined {
    const found = this.#cache.get(key);
    if (found === undefined) return undefined;
    this.#cache.delete(key);
    this.#cache.set(key, found);
    return found;
  }

  #keep(key: string, object: StoredObject): void {
    if (object.content.length > cacheBytesMax / 8 || this.#cache.has(key)) return;
    this.#cache.set(key, object);
    this.#cacheBytes += object.content.length;
    for (const [oldest, { content }] of this.#cache) {
      if (this.#cacheBytes <= cacheBytesMax) break;
      this.#cache.delete(oldest);
      this.#cacheBytes -= content.length;
    }
  }
}

function hasLooseObjects(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^[0-9a-f]{2}$/.test(name));
}

function packIfThere(path: string, open: OpenPacks): PackFile | undefined {
  try {
    return new PackFile(path, open);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads bytes of a file until `length` of them are there or the file ends. */
export function readBytes(file: number, from: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readInto(bytes, file, from, length));
}

function readInto(bytes: Buffer, file: number, from: number, length: number): number {
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return read;
}

const shared = Buffer.allocUnsafeSlow(64 << 10);

/** Reads as `readBytes`. The bytes are valid until the next call. */
export function readShared(file: number, from: number, length: number): Buffer<ArrayBuffer> {
  if (length > shared.length) return readBytes(file, from, length);
  return shared.subarray(0, readInto(shared, file, from, length));
}

/** The head of the entry that begins at an offset. */
export function entryAt({ file, size }: PackFile, offset: number): EntryHead {
  if (offset < packHeaderBytes || offset >= size) throw damaged();
  return parseEntryHead(readShared(file, offset, entryHeadBytesMin), offset);
}

/** The content of an entry, or the delta itself. */
export function inflateEntry(pack: PackFile, { offset, dataStart, size }: EntryHead): Buffer {
  if (size > wholeBytesMax) throw new Error("an object of a pack is too large to be read whole");
  return inflateTo(readShared(pack.file, dataStart, pack.endOf(offset) - dataStart), size);
}

function deltaHeaderAt(pack: PackFile, { dataStart }: EntryHead): DeltaHeader {
  const header = parseBeginning(readShared(pack.file, dataStart, beginningBytes), deltaHeader);
  if (header === undefined) throw damaged();
  return header;
}

/** Unpacks zlib data to exactly `size` bytes; bytes behind the data are ignored. */
export function inflateTo(deflated: Buffer<ArrayBuffer>, size: number): Buffer {
  const content = inflateAtMost(deflated, size);
  if (content.length !== size) throw damaged();
  return content;
}

/** The runtime's own call is four times as fast, and knows no limit: a byte unpacks to at most about a thousand. */
function inflateAtMost(deflated: Buffer<ArrayBuffer>, size: number): Buffer {
  if (deflated.length > unboundedBytesMax) return inflateSync(deflated, { maxOutputLength: Math.max(1, size) });
  const { buffer, byteOffset, length } = Bun.inflateSync(deflated, { windowBits: 15 });
  return Buffer.from(buffer, byteOffset, length);
}

export function looseHeadOf(path: string): LooseHead {
  const file = openSync(path, "r");
  try {
    const head = parseBeginning(readBytes(file, 0, beginningBytes), parseLooseHeader);
    if (head === undefined) throw damaged();
    return head;
  } finally {
    closeSync(file);
  }
}

function readLoose(path: string): StoredObject {
  const { type, size, contentStart } = looseHeadOf(path);
  if (size > wholeBytesMax) throw new Error("an object is too large to be read whole");
  return { type, content: inflateTo(readFileSync(path), contentStart + size).subarray(contentStart) };
}

function damaged(): Error {
  return new Error("an object of a repository is damaged");
}
