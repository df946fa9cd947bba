/**
 * Makes the index of a received pack, and checks each object of it. It runs in a thread of its own: small objects are unpacked
 * synchronously.
 */

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { applyDeltaNow, deltaHeader } from "../objects/delta.ts";
import type { ObjectType } from "../objects/limits.ts";
import { entryHeadBytesMin, parseEntryHead } from "../objects/pack-entry.ts";
import { entryHeader } from "./entry-header.ts";
import { checkModules, checkObject } from "./fsck.ts";
import { chainMax, PackError, type PackLimits, wholeBytesMax } from "./limits.ts";
import { inflateTo, type ObjectStore, packHeaderBytes, readBytes } from "./object-store.ts";
import { hexOf, OidTable, oidBytes } from "./oid-table.ts";
import { writePackIndex } from "./pack-index-writer.ts";
import { PackWindow } from "./pack-window.ts";

const typeNames: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];
const none = -1;
/** Bytes of contents that wait for the deltas that are made from them; others are made again. */
const waitingBytesMax = 64 << 20;
const trailerBytes = oidBytes;
/** References that may lead to any type. */
const anyType = 0;

/** A pack with an index beside it. */
export interface IndexedPack {
  /** The trailer, in hex: git's name for the pack. */
  readonly name: string;
  readonly objects: number;
  /** Bytes of the pack. */
  readonly bytes: number;
}

/** An object in the way to the deltas that are made from it. */
interface Step {
  readonly at: number;
  /** The next delta of it. */
  child: number;
  /** undefined: made again when it is needed. */
  content: Buffer | undefined;
}

/** One pack, whose path has no ending yet: `PATH.pack` is there, and `PATH.idx` is made. */
export class PackIndexer {
  readonly #path: string;
  readonly #store: ObjectStore;
  readonly #limits: PackLimits;
  readonly #file: number;
  #count = 0;
  #offsets = new Float64Array(0);
  #crcs = new Uint32Array(0);
  #oids = new Uint8Array(0);
  /** 0 for a delta that is not made yet. */
  #types = new Uint8Array(0);
  /** First delta that is made from an object, and the next one of the same base. */
  #firstChild = new Int32Array(0);
  #nextSibling = new Int32Array(0);
  /** Deltas by the ids of their bases. */
  readonly #waiting = new Map<string, number[]>();
  /** By id, the number of the object in the pack. */
  readonly #known = new OidTable();
  /** Ids that objects name, with the number of the type. */
  readonly #references = new OidTable();
  readonly #modules = new OidTable();

  constructor(path: string, store: ObjectStore, limits: PackLimits) {
    this.#path = path;
    this.#store = store;
    this.#limits = limits;
    this.#file = openSync(`${path}.pack`, "r+");
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Throws `PackError` for a pack that is refused. */
  async index(): Promise<IndexedPack> {
    const window = new PackWindow(this.#file);
    this.#begin(window);
    const end = await this.#scan(window);
    this.#requireTrailer(window.size, end);
    this.#linkDeltas();
    for (let at = 0; at < this.#count; at += 1) if (this.#types[at] !== 0) this.#makeFrom(at);
    const name = this.#completeThin(end);
    if (this.#types.subarray(0, this.#count).includes(0)) throw new PackError("pack has unresolved deltas");
    this.#checkModuleFiles();
    const contents = { count: this.#count, oids: this.#oids, crcs: this.#crcs, offsets: this.#offsets };
    writePackIndex(`${this.#path}.idx`, contents, Buffer.from(name, "hex"));
    fsyncSync(this.#file);
    return { name, objects: this.#count, bytes: this.#end + trailerBytes };
  }

  /** The first id that an object of the pack names and that is neither in the pack nor in the repository. */
  findMissing(): string | undefined {
    for (const [oid, wanted] of this.#references.entries()) {
      const at = this.#known.get(oid);
      const type = at === undefined ? this.#storedType(oid) : typeNames[this.#types[at] as number];
      if (type === undefined || (wanted !== anyType && type !== typeNames[wanted])) return hexOf(oid);
    }
    return undefined;
  }

  #storedType(oid: Uint8Array): ObjectType | undefined {
    const place = this.#store.find(oid);
    return place === undefined ? undefined : this.#store.headOf(place).type;
  }

  #begin(window: PackWindow): void {
    const header = window.at(0, packHeaderBytes);
    if (window.size < packHeaderBytes + trailerBytes || header.toString("latin1", 0, 4) !== "PACK") {
      throw new PackError("protocol error (pack signature mismatch detected)");
    }
    const version = header.readUInt32BE(4);
    if (version !== 2 && version !== 3) throw new PackError(`protocol error (pack version ${version} unsupported)`);
    this.#count = header.readUInt32BE(8);
    if (this.#count > this.#limits.objectsMax) {
      throw new PackError(`pack has ${this.#count} objects, more than ${this.#limits.objectsMax}`);
    }
    // An entry has at least a byte of header and eight of compressed data.
    if (this.#count > window.size / 9) throw new PackError("early EOF");
    this.#reserve(this.#count);
  }

  #reserve(count: number): void {
    this.#offsets = grown(this.#offsets, new Float64Array(count));
    this.#crcs = grown(this.#crcs, new Uint32Array(count));
    this.#oids = grown(this.#oids, new Uint8Array(count * oidBytes));
    this.#types = grown(this.#types, new Uint8Array(count));
    this.#firstChild = grown(this.#firstChild, new Int32Array(count).fill(none));
    this.#nextSibling = grown(this.#nextSibling, new Int32Array(count).fill(none));
  }

  /** Reads all entries, and makes those that are no deltas. Returns the offset behind the last one. */
  async #scan(window: PackWindow): Promise<number> {
    let offset = packHeaderBytes;
    for (let at = 0; at < this.#count; at += 1) {
      this.#offsets[at] = offset;
      const head = entryHead(window.at(offset, entryHeadBytesMin), offset);
      if (head.size > this.#limits.objectBytesMax) {
        throw new PackError(`object of ${head.size} bytes exceeds maximum allowed size`);
      }
      const end =
        "base" in head
          ? await window.inflate(head.dataStart, head.size, () => undefined)
          : await this.#scanWhole(window, at, head);
      this.#crcs[at] = crcOf(window, offset, end);
      if ("base" in head && typeof head.base === "string") this.#wait(head.base, at);
      offset = end;
    }
    return offset;
  }

  async #scanWhole(
    window: PackWindow,
    at: number,
    { type, dataStart, size }: { readonly type: ObjectType; readonly dataStart: number; readonly size: number },
  ): Promise<number> {
    if (type !== "blob" && size > wholeBytesMax) throw new PackError(`${type} of ${size} bytes is too large`);
    const hasher = new Bun.CryptoHasher("sha1").update(`${type} ${size}\0`);
    const pieces: Buffer[] = [];
    const end = await window.inflate(dataStart, size, (piece) => {
      hasher.update(piece);
      if (type !== "blob") pieces.push(piece);
    });
    this.#note(at, type, hasher.digest(), type === "blob" ? undefined : Buffer.concat(pieces));
    return end;
  }

  /** Notes the id of an object, and checks what it says. */
  #note(at: number, type: ObjectType, oid: Uint8Array, content: Buffer | undefined): void {
    this.#types[at] = typeNames.indexOf(type);
    this.#oids.set(oid, at * oidBytes);
    if (!this.#known.has(oid)) this.#known.set(oid, 0, at);
    if (type === "blob" || content === undefined) return;
    checkObject(
      type,
      content,
      (oids, start, wanted) => this.#refer(oids, start, wanted),
      (oids, start) => this.#modules.add(oids, start),
    );
  }

  #refer(oids: Uint8Array, start: number, type: ObjectType | undefined): void {
    const wanted = type === undefined ? anyType : typeNames.indexOf(type);
    const known = this.#references.get(oids, start);
    if (known === undefined || known === anyType) this.#references.set(oids, start, wanted);
    else if (wanted !== anyType && wanted !== known)
      throw new PackError("fsck error in packed object: object of two types");
  }

  #wait(base: string, at: number): void {
    const others = this.#waiting.get(base);
    if (others === undefined) this.#waiting.set(base, [at]);
    else others.push(at);
  }

  /** Links each delta to the entry that it changes. Throws `PackError` for an offset at which none begins. */
  #linkDeltas(): void {
    const offsets = this.#offsets.subarray(0, this.#count);
    for (let at = this.#count - 1; at >= 0; at -= 1) {
      if (this.#types[at] !== 0) continue;
      const offset = offsets[at] as number;
      const head = entryHead(readBytes(this.#file, offset, entryHeadBytesMin), offset);
      if (!("base" in head) || typeof head.base === "string") continue;
      const base = placeOf(offsets, head.base);
      if (base === undefined) throw new PackError("pack has unresolved deltas");
      this.#link(base, at);
    }
  }

  #link(base: number, delta: number): void {
    this.#nextSibling[delta] = this.#firstChild[base] as number;
    this.#firstChild[base] = delta;
  }

  /** Links the deltas that waited for the id of an object. */
  #linkWaiting(at: number): void {
    if (this.#waiting.size === 0) return;
    const oid = hexOf(this.#oids, at * oidBytes);
    for (const delta of this.#waiting.get(oid) ?? []) this.#link(at, delta);
    this.#waiting.delete(oid);
  }

  /** Makes all deltas of an object, and theirs, without recursion. */
  #makeFrom(root: number): void {
    this.#linkWaiting(root);
    if (this.#firstChild[root] === none) return;
    const steps: Step[] = [{ at: root, child: this.#firstChild[root] as number, content: undefined }];
    let waitingBytes = 0;
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const { child } = step;
      if (child === none) {
        waitingBytes -= step.content?.length ?? 0;
        steps.pop();
        continue;
      }
      step.child = this.#nextSibling[child] as number;
      if (this.#types[child] !== 0) continue;
      if (step.content === undefined) {
        step.content = this.#remake(steps);
        waitingBytes += step.content.length;
      }
      const content = this.#applyTo(step.content, child);
      this.#noteMade(child, this.#types[root] as number, content);
      this.#linkWaiting(child);
      if (this.#firstChild[child] === none) continue;
      if (steps.length > chainMax) throw new PackError(`pack has a delta chain of more than ${chainMax}`);
      steps.push({ at: child, child: this.#firstChild[child] as number, content });
      waitingBytes += content.length;
      for (const each of steps) {
        if (waitingBytes <= waitingBytesMax || each === steps.at(-1)) break;
        waitingBytes -= each.content?.length ?? 0;
        each.content = undefined;
      }
    }
  }

  #noteMade(at: number, type: number, content: Buffer): void {
    const name = typeNames[type] as ObjectType;
    const hasher = new Bun.CryptoHasher("sha1").update(`${name} ${content.length}\0`).update(content);
    this.#note(at, name, hasher.digest(), content);
  }

  /** Makes the content of the last step again, from the nearest one that has its own. */
  #remake(steps: readonly Step[]): Buffer {
    const from = steps.findLastIndex(({ content }) => content !== undefined);
    let content = steps[from]?.content ?? this.#inflate((steps[0] as Step).at);
    for (const { at } of steps.slice(Math.max(from, 0) + 1)) content = this.#applyTo(content, at);
    return content;
  }

  #applyTo(base: Buffer, delta: number): Buffer {
    const bytes = this.#inflate(delta);
    const header = deltaHeader(bytes);
    if (header === undefined || header.resultBytes > Math.min(this.#limits.objectBytesMax, wholeBytesMax)) {
      throw new PackError("delta makes an object that exceeds maximum allowed size");
    }
    try {
      return applyDeltaNow(base, bytes);
    } catch {
      throw new PackError("failed to apply delta");
    }
  }

  /** The content of an entry, or the delta itself. It was unpacked before, so it is as long as it says. */
  #inflate(at: number): Buffer {
    const offset = this.#offsets[at] as number;
    const { dataStart, size } = entryHead(readBytes(this.#file, offset, entryHeadBytesMin), offset);
    if (size > wholeBytesMax) throw new PackError(`delta of an object of ${size} bytes is too large`);
    const end = at + 1 < this.#count ? (this.#offsets[at + 1] as number) : this.#end;
    return inflateTo(readBytes(this.#file, dataStart, end - dataStart), size);
  }

  #end = 0;

  #requireTrailer(size: number, end: number): void {
    this.#end = end;
    if (end + trailerBytes !== size)
      throw new PackError(end + trailerBytes > size ? "early EOF" : "garbage at end of pack");
    const hash = hashOfFile(this.#file, end);
    if (!hash.equals(readBytes(this.#file, end, trailerBytes)))
      throw new PackError("pack is corrupted (SHA1 mismatch)");
  }

  /**
   * Adds the objects of the repository that the deltas of a thin pack are made from to the pack. Returns the hash of the pack.
   */
  #completeThin(end: number): string {
    const before = this.#count;
    for (const base of [...this.#waiting.keys()].sort()) {
      const oid = Buffer.from(base, "hex");
      if (!this.#waiting.has(base) || this.#known.has(oid)) continue;
      const found = this.#store.read(oid);
      if (found === undefined) throw new PackError("pack has unresolved deltas");
      const at = this.#append(found.type, found.content);
      this.#note(at, found.type, oid, undefined);
      this.#makeFrom(at);
    }
    if (this.#count === before) return readBytes(this.#file, end, trailerBytes).toString("hex");
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    writeSync(this.#file, count, 0, 4, 8);
    const hash = hashOfFile(this.#file, this.#end);
    writeSync(this.#file, hash, 0, trailerBytes, this.#end);
    return hash.toString("hex");
  }

  #append(type: ObjectType, content: Buffer): number {
    const at = this.#count;
    if (at >= this.#offsets.length) this.#reserve(Math.max(64, 2 * at));
    const entry = Buffer.concat([entryHeader(typeNames.indexOf(type), content.length), deflateSync(content)]);
    writeSync(this.#file, entry, 0, entry.length, this.#end);
    this.#offsets[at] = this.#end;
    this.#crcs[at] = crc32(entry);
    this.#count += 1;
    this.#end += entry.length;
    return at;
  }

  #checkModuleFiles(): void {
    for (const [oid] of this.#modules.entries()) {
      const at = this.#known.get(oid);
      // One that the repository has already was checked when it came.
      if (at === undefined) continue;
      const content = this.#contentOf(at);
      if (content !== undefined) checkModules(content);
    }
  }

  /** The content of any object of the pack; undefined for a large one. */
  #contentOf(at: number): Buffer | undefined {
    const deltas: number[] = [];
    let base = at;
    for (;;) {
      const offset = this.#offsets[base] as number;
      const head = entryHead(readBytes(this.#file, offset, entryHeadBytesMin), offset);
      if (head.size > wholeBytesMax) return undefined;
      if (!("base" in head)) break;
      deltas.push(base);
      const next =
        typeof head.base === "string"
          ? this.#known.get(Buffer.from(head.base, "hex"))
          : placeOf(this.#offsets.subarray(0, this.#count), head.base);
      if (next === undefined || deltas.length > chainMax) throw new PackError("pack has unresolved deltas");
      base = next;
    }
    let content = this.#inflate(base);
    for (const delta of deltas.reverse()) content = this.#applyTo(content, delta);
    return content;
  }
}

function entryHead(bytes: Buffer, offset: number) {
  try {
    return parseEntryHead(bytes, offset);
  } catch {
    throw new PackError(bytes.length < entryHeadBytesMin ? "early EOF" : "bad object header or delta base offset");
  }
}

/** The place of an offset in sorted ones. */
function placeOf(offsets: Float64Array, offset: number): number | undefined {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return offsets[low] === offset ? low : undefined;
}

function crcOf(window: PackWindow, from: number, to: number): number {
  let crc = 0;
  for (let at = from; at < to; at += pieceBytes) crc = crc32(window.at(at, Math.min(pieceBytes, to - at)), crc);
  return crc;
}

const pieceBytes = 1 << 20;

function hashOfFile(file: number, end: number): Buffer {
  const hasher = new Bun.CryptoHasher("sha1");
  for (let at = 0; at < end; at += pieceBytes) hasher.update(readBytes(file, at, Math.min(pieceBytes, end - at)));
  return Buffer.from(hasher.digest());
}

function grown<T extends Float64Array | Uint32Array | Uint8Array | Int32Array>(old: T, larger: T): T {
  larger.set(old.subarray(0, Math.min(old.length, larger.length)));
  return larger;
}
