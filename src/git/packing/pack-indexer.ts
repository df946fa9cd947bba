/**
 * Makes the index of a received pack, and checks each object of it. It runs in a thread of its own: small objects are unpacked
 * synchronously.
 */

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { ObjectType } from "../objects/limits.ts";
import { entryHeadBytesMin } from "../objects/pack-entry.ts";
import { DeltaTree } from "./delta-tree.ts";
import { checkModules, checkObject } from "./fsck.ts";
import { chainMax, PackError, type PackLimits, wholeBytesMax } from "./limits.ts";
import { type ObjectStore, packHeaderBytes, readBytes } from "./object-store.ts";
import { hexOf, OidTable, oidBytes } from "./oid-table.ts";
import { PackEntries, parseHead, typeNames } from "./pack-entries.ts";
import { writePackIndex } from "./pack-index-writer.ts";
import { PackWindow } from "./pack-window.ts";

const trailerBytes = oidBytes;
const pieceBytes = 1 << 20;
/** References that may lead to any type. */
const anyType = 0;
/** An entry has at least a byte of header and eight of compressed data. */
const entryBytesMin = 9;

/** A pack with an index beside it. */
export interface IndexedPack {
  /** The trailer, in hex: git's name for the pack. */
  readonly name: string;
  readonly objects: number;
  /** Bytes of the pack. */
  readonly bytes: number;
}

/** One pack, whose path has no ending yet: `PATH.pack` is there, and `PATH.idx` is made. */
export class PackIndexer {
  readonly #path: string;
  readonly #store: ObjectStore;
  readonly #limits: PackLimits;
  readonly #file: number;
  readonly #window: PackWindow;
  readonly #entries: PackEntries;
  /** By id, the place of the object in the pack. */
  readonly #known = new OidTable();
  /** Ids that objects name, with the number of the type. */
  readonly #references = new OidTable();
  readonly #modules = new OidTable();

  /** Throws `PackError` for a file that begins as no pack does. */
  constructor(path: string, store: ObjectStore, limits: PackLimits) {
    this.#path = path;
    this.#store = store;
    this.#limits = limits;
    this.#file = openSync(`${path}.pack`, "r+");
    try {
      this.#window = new PackWindow(this.#file);
      this.#entries = new PackEntries(this.#file, this.#declaredCount(), limits);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Throws `PackError` for a pack that is refused. */
  async index(): Promise<IndexedPack> {
    const entries = this.#entries;
    await this.#scan();
    this.#requireTrailer();
    const tree = new DeltaTree(entries, (at, type, content) => this.#noteMade(at, type, content));
    for (let at = 0; at < entries.count; at += 1) if (entries.types[at] !== 0) tree.makeFrom(at);
    const name = this.#completeThin(tree);
    if (entries.types.subarray(0, entries.count).includes(0)) throw new PackError("pack has unresolved deltas");
    this.#checkModuleFiles();
    writePackIndex(`${this.#path}.idx`, entries, Buffer.from(name, "hex"));
    fsyncSync(this.#file);
    return { name, objects: entries.count, bytes: entries.end + trailerBytes };
  }

  /** The first id that an object of the pack names and that is neither in the pack nor in the repository. */
  findMissing(): string | undefined {
    for (const [oid, wanted] of this.#references.entries()) {
      const at = this.#known.get(oid);
      const type = at === undefined ? this.#storedType(oid) : typeNames[this.#entries.types[at] as number];
      if (type === undefined || (wanted !== anyType && type !== typeNames[wanted])) return hexOf(oid);
    }
    return undefined;
  }

  #storedType(oid: Uint8Array): ObjectType | undefined {
    const place = this.#store.find(oid);
    return place === undefined ? undefined : this.#store.headOf(place).type;
  }

  #declaredCount(): number {
    const { size } = this.#window;
    const header = this.#window.at(0, packHeaderBytes);
    if (size < packHeaderBytes + trailerBytes || header.toString("latin1", 0, 4) !== "PACK") {
      throw new PackError("protocol error (pack signature mismatch detected)");
    }
    const version = header.readUInt32BE(4);
    if (version !== 2 && version !== 3) throw new PackError(`protocol error (pack version ${version} unsupported)`);
    const count = header.readUInt32BE(8);
    if (count > this.#limits.objectsMax) {
      throw new PackError(`pack has ${count} objects, more than ${this.#limits.objectsMax}`);
    }
    if (count > size / entryBytesMin) throw new PackError("early EOF");
    return count;
  }

  /** Reads all entries, and makes those that are no deltas. */
  async #scan(): Promise<void> {
    const entries = this.#entries;
    let offset = packHeaderBytes;
    for (let at = 0; at < entries.count; at += 1) {
      entries.offsets[at] = offset;
      const head = parseHead(this.#window.at(offset, entryHeadBytesMin), offset);
      if (head.size > this.#limits.objectBytesMax) {
        throw new PackError(`object of ${head.size} bytes exceeds maximum allowed size`);
      }
      const end =
        "base" in head
          ? await this.#window.inflate(head.dataStart, head.size, () => undefined)
          : await this.#scanWhole(at, head);
      entries.crcs[at] = this.#crcOf(offset, end);
      offset = end;
    }
    entries.end = offset;
  }

  async #scanWhole(
    at: number,
    { type, dataStart, size }: { readonly type: ObjectType; readonly dataStart: number; readonly size: number },
  ): Promise<number> {
    if (type !== "blob" && size > wholeBytesMax) throw new PackError(`${type} of ${size} bytes is too large`);
    const hasher = new Bun.CryptoHasher("sha1").update(`${type} ${size}\0`);
    const pieces: Buffer[] = [];
    const end = await this.#window.inflate(dataStart, size, (piece) => {
      hasher.update(piece);
      if (type !== "blob") pieces.push(piece);
    });
    this.#note(at, type, hasher.digest(), type === "blob" ? undefined : Buffer.concat(pieces));
    return end;
  }

  #noteMade(at: number, typeNumber: number, content: Buffer): void {
    const type = typeNames[typeNumber] as ObjectType;
    const hasher = new Bun.CryptoHasher("sha1").update(`${type} ${content.length}\0`).update(content);
    this.#note(at, type, hasher.digest(), content);
  }

  /** Notes the id of an object, and checks what it says. */
  #note(at: number, type: ObjectType, oid: Uint8Array, content: Buffer | undefined): void {
    this.#entries.types[at] = typeNames.indexOf(type);
    this.#entries.oids.set(oid, at * oidBytes);
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
    else if (wanted !== anyType && wanted !== known) {
      throw new PackError("fsck error in packed object: object of two types");
    }
  }

  #crcOf(from: number, to: number): number {
    let crc = 0;
    for (let at = from; at < to; at += pieceBytes) {
      crc = crc32(this.#window.at(at, Math.min(pieceBytes, to - at)), crc);
    }
    return crc;
  }

  #requireTrailer(): void {
    const { end } = this.#entries;
    const { size } = this.#window;
    if (end + trailerBytes !== size) {
      throw new PackError(end + trailerBytes > size ? "early EOF" : "garbage at end of pack");
    }
    if (!this.#hash(end).equals(readBytes(this.#file, end, trailerBytes))) {
      throw new PackError("pack is corrupted (SHA1 mismatch)");
    }
  }

  /**
   * Adds the objects of the repository that the deltas of a thin pack are made from to the pack. Returns the hash of the pack.
   */
  #completeThin(tree: DeltaTree): string {
    const entries = this.#entries;
    const before = entries.count;
    for (const base of tree.missingBases) {
      const oid = Buffer.from(base, "hex");
      // An object that was made meanwhile had its deltas made, too.
      if (this.#known.has(oid)) continue;
      const found = this.#store.read(oid);
      if (found === undefined) throw new PackError("pack has unresolved deltas");
      const at = entries.append(found.type, oid, found.content);
      this.#known.set(oid, 0, at);
      tree.makeFrom(at);
    }
    if (entries.count === before) return readBytes(this.#file, entries.end, trailerBytes).toString("hex");
    const count = Buffer.alloc(4);
    count.writeUInt32BE(entries.count);
    writeSync(this.#file, count, 0, 4, 8);
    const hash = this.#hash(entries.end);
    writeSync(this.#file, hash, 0, trailerBytes, entries.end);
    return hash.toString("hex");
  }

  /** SHA-1 of the beginning of the file. */
  #hash(end: number): Buffer {
    const hasher = new Bun.CryptoHasher("sha1");
    for (let at = 0; at < end; at += pieceBytes)
      hasher.update(readBytes(this.#file, at, Math.min(pieceBytes, end - at)));
    return Buffer.from(hasher.digest());
  }

  #checkModuleFiles(): void {
    for (const [oid] of this.#modules.entries()) {
      const at = this.#known.get(oid);
      // A file that the repository has already was checked when it came.
      const content = at === undefined ? undefined : this.#contentOf(at);
      if (content !== undefined) checkModules(content);
    }
  }

  /** The content of any object of the pack; undefined for a large one. */
  #contentOf(at: number): Buffer | undefined {
    const deltas: number[] = [];
    let base = at;
    for (let head = this.#entries.head(base); "base" in head; head = this.#entries.head(base)) {
      deltas.push(base);
      const next =
        typeof head.base === "string"
          ? this.#known.get(Buffer.from(head.base, "hex"))
          : this.#entries.placeOf(head.base);
      if (next === undefined || deltas.length > chainMax) throw new PackError("pack has unresolved deltas");
      base = next;
    }
    if (this.#entries.head(base).size > wholeBytesMax) return undefined;
    let content = this.#entries.inflate(base);
    for (const delta of deltas.reverse()) content = this.#entries.applyTo(content, delta);
    return content;
  }
}
