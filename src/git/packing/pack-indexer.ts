/**
 * Makes the index of a received pack, and checks each object of it. It runs in a thread of its own: small objects are unpacked
 * synchronously.
 */

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ownFilesOf } from "../layout.ts";
import { type ObjectType, pieceWiseBytes } from "../objects/limits.ts";
import { entryHeadBytesMin } from "../objects/pack-entry.ts";
import { CheckedObjects } from "./checked-objects.ts";
import { DeltaTree, type MadeObject } from "./delta-tree.ts";
import { contentPieces, deflated, loosePath, placeToRead } from "./large-objects.ts";
import { chainMax, MadeBytes, PackError, type PackLimits, wholeBytesMax } from "./limits.ts";
import { type ObjectPlace, type ObjectStore, packHeaderBytes, readBytes } from "./object-store.ts";
import { oidBytes } from "./oid-table.ts";
import { needsOwnFile, writeOwnFile } from "./own-files.ts";
import { PackEntries, parseHead, typeNames } from "./pack-entries.ts";
import { writePackIndex } from "./pack-index-writer.ts";
import { PackWindow } from "./pack-window.ts";
import { type Content, freeContent, piecesOf, Scratch } from "./scratch.ts";

const trailerBytes = oidBytes;
const pieceBytes = 1 << 20;
/** An entry has at least a byte of header and eight of compressed data. */
const entryBytesMin = 9;

const noLimits: PackLimits = { objectsMax: 0xffff_ffff, objectBytesMax: Number.MAX_SAFE_INTEGER };

/** A pack with an index beside it. */
export interface IndexedPack {
  /** The trailer, in hex: git's name for the pack. */
  readonly name: string;
  readonly objects: number;
  /** Bytes of the pack. */
  readonly bytes: number;
  /**
   * Paths of loose objects that the pack has as deltas which are not read from it: below `ownFilesOf`, where the repository does
   * not have them yet.
   */
  readonly ownFiles: readonly string[];
}

/** One pack, whose path has no ending yet: `PATH.pack` is there, and `PATH.idx` is made. */
export class PackIndexer {
  readonly #path: string;
  readonly #store: ObjectStore;
  readonly #limits: PackLimits;
  readonly #isReceived: boolean;
  readonly #file: number;
  readonly #window: PackWindow;
  readonly #entries: PackEntries;
  readonly #made: MadeBytes;
  readonly #checked: CheckedObjects;
  readonly #scratch: Scratch;
  readonly #ownFiles: string[] = [];

  /** `limits` are undefined for a pack of the repository's own objects. Throws `PackError` for a file that begins as no pack does. */
  constructor(path: string, store: ObjectStore, limits: PackLimits | undefined) {
    this.#path = path;
    this.#store = store;
    this.#limits = limits ?? noLimits;
    this.#isReceived = limits !== undefined;
    this.#scratch = new Scratch(`${path}.scratch`);
    this.#file = openSync(`${path}.pack`, "r+");
    try {
      this.#window = new PackWindow({ file: this.#file });
      this.#made = new MadeBytes(this.#isReceived ? this.#window.size : Number.POSITIVE_INFINITY);
      this.#checked = new CheckedObjects(store, this.#made);
      this.#entries = new PackEntries(this.#file, this.#declaredCount(), this.#limits);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#scratch.close();
    closeSync(this.#file);
  }

  /** Throws `PackError` for a pack that is refused. */
  async index(): Promise<IndexedPack> {
    const entries = this.#entries;
    await this.#scan();
    this.#requireTrailer();
    const tree = new DeltaTree(entries, { scratch: this.#scratch, made: this.#made }, (made) => this.#noteMade(made));
    for (let at = 0; at < entries.count; at += 1) {
      const work = entries.types[at] === 0 ? undefined : tree.makeFrom(at);
      if (work !== undefined) await work;
    }
    const name = await this.#completeThin(tree);
    if (entries.types.subarray(0, entries.count).includes(0)) throw new PackError("pack has unresolved deltas");
    await this.#checked.finish((at) => this.#contentAt(at));
    writePackIndex(`${this.#path}.idx`, entries, Buffer.from(name, "hex"));
    fsyncSync(this.#file);
    return { name, objects: entries.count, bytes: entries.end + trailerBytes, ownFiles: this.#ownFiles };
  }

  /** The first id that an object of the pack names and that is neither in the pack nor in the repository. */
  findMissing(): string | undefined {
    return this.#checked.findMissing(this.#entries.types);
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
      const work =
        "base" in head ? this.#window.inflate(head.dataStart, head.size, () => undefined) : this.#scanWhole(at, head);
      const end = typeof work === "number" ? work : await work;
      entries.crcs[at] = this.#crcOf(offset, end);
      offset = end;
    }
    entries.end = offset;
  }

  #scanWhole(
    at: number,
    { type, dataStart, size }: { readonly type: ObjectType; readonly dataStart: number; readonly size: number },
  ): Promise<number> | number {
    const isKept = type !== "blob" || size <= pieceWiseBytes;
    if (isKept && size > wholeBytesMax) throw new PackError(`${type} of ${size} bytes is too large`);
    const hasher = new Bun.CryptoHasher("sha1").update(`${type} ${size}\0`);
    const pieces: Buffer[] = [];
    const note = (end: number) => {
      const [first] = pieces;
      const whole = pieces.length === 1 ? first : Buffer.concat(pieces);
      this.#note(at, type, hasher.digest(), isKept ? whole : undefined);
      return end;
    };
    const work = this.#window.inflate(dataStart, size, (piece) => {
      hasher.update(piece);
      if (isKept) pieces.push(piece);
    });
    return typeof work === "number" ? note(work) : work.then(note);
  }

  #noteMade({ at, type: typeNumber, content, chain }: MadeObject): Promise<void> | undefined {
    const type = typeNames[typeNumber] as ObjectType;
    const hasher = new Bun.CryptoHasher("sha1").update(`${type} ${content.length}\0`);
    for (const piece of piecesOf(content)) hasher.update(piece);
    const oid = hasher.digest();
    this.#note(at, type, oid, content instanceof Buffer ? content : undefined);
    return needsOwnFile(type, content.length, chain) ? this.#writeOwnFile(type, oid, content) : undefined;
  }

  async #writeOwnFile(type: ObjectType, oid: Uint8Array, content: Content): Promise<void> {
    this.#ownFiles.push(loosePath(oid));
    if (this.#store.findLoose(oid) === undefined) await writeOwnFile(ownFilesOf(this.#path), type, oid, content);
  }

  /** Notes the id of an object, and checks what it says. */
  #note(at: number, type: ObjectType, oid: Uint8Array, content: Buffer | undefined): void {
    this.#entries.types[at] = typeNames.indexOf(type);
    this.#entries.oids.set(oid, at * oidBytes);
    if (this.#isReceived) this.#checked.add(at, type, oid, content);
    else this.#checked.addStored(oid, at);
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
  async #completeThin(tree: DeltaTree): Promise<string> {
    const entries = this.#entries;
    const before = entries.count;
    for (const base of tree.missingBases) {
      const oid = Buffer.from(base, "hex");
      const found = this.#store.find(oid);
      // The deltas of an object that is made from another missing one are made together with it.
      if (found === undefined || this.#checked.placeOf(oid) !== undefined) continue;
      const at = await this.#appendStored(oid, found);
      this.#checked.addStored(oid, at);
      await tree.makeFrom(at);
    }
    if (entries.count === before) return readBytes(this.#file, entries.end, trailerBytes).toString("hex");
    const count = Buffer.alloc(4);
    count.writeUInt32BE(entries.count);
    writeSync(this.#file, count, 0, 4, 8);
    const hash = this.#hash(entries.end);
    writeSync(this.#file, hash, 0, trailerBytes, entries.end);
    return hash.toString("hex");
  }

  /** Adds an object of the repository to the pack. Returns its place. */
  #appendStored(oid: Uint8Array, found: ObjectPlace): Promise<number> {
    const place = placeToRead(this.#store, oid, found);
    const { type, size } = this.#store.headOf(place);
    this.#made.add(size);
    return this.#entries.append(type, oid, size, deflated(contentPieces(this.#store, place), size));
  }

  /** SHA-1 of the beginning of the file. */
  #hash(end: number): Buffer {
    const hasher = new Bun.CryptoHasher("sha1");
    for (let at = 0; at < end; at += pieceBytes)
      hasher.update(readBytes(this.#file, at, Math.min(pieceBytes, end - at)));
    return Buffer.from(hasher.digest());
  }

  /** Makes the content of an object of the pack again. */
  async #contentAt(at: number): Promise<Content> {
    const deltas: number[] = [];
    let base = at;
    for (let head = this.#entries.head(base); "base" in head; head = this.#entries.head(base)) {
      deltas.push(base);
      const next =
        typeof head.base === "string"
          ? this.#checked.placeOf(Buffer.from(head.base, "hex"))
          : this.#entries.placeOf(head.base);
      if (next === undefined || deltas.length > chainMax) throw new PackError("pack has unresolved deltas");
      base = next;
    }
    const type = this.#entries.types[base] as number;
    let content = await this.#entries.unpack(base, this.#scratch);
    this.#made.add(content.length);
    for (const delta of deltas.reverse()) {
      const held = this.#entries.applyHeld(content, delta, type);
      const next = held ?? (await this.#entries.applyToFile(content, delta, type, this.#scratch));
      freeContent(content);
      content = next.content;
      this.#made.add(content.length);
    }
    return content;
  }
}
