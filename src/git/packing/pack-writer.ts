/** Writes a pack of given objects. Entries that a pack of the repository has already are copied as they lie on the disk. */

import { crc32 } from "node:zlib";
import { entryHeadBytesMin, parseEntryHead } from "../objects/pack-entry.ts";
import { entryHeader } from "./entry-header.ts";
import { countGarbage } from "./garbage.ts";
import { contentPieces, deflated, placeToRead } from "./large-objects.ts";
import { type EntryHead, type ObjectStore, packHeaderBytes } from "./object-store.ts";
import { hexOf, type OidTable } from "./oid-table.ts";
import type { PackFile } from "./pack-file.ts";
import { PackPieces } from "./pack-pieces.ts";
import { PackWindow } from "./pack-window.ts";

const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;
const deltaOfOffset = 6;
const deltaOfId = 7;
const pieceBytes = 256 << 10;

export interface PackOptions {
  /** The client knows deltas that name their base by its offset. */
  readonly hasOffsetDeltas: boolean;
}

/** One pack, as pieces of bytes. */
export class PackWriter {
  readonly #store: ObjectStore;
  readonly #objects: OidTable;
  readonly #options: PackOptions;
  readonly #hasher = new Bun.CryptoHasher("sha1");
  readonly #pieces: PackPieces;
  #written = 0;

  /** `pieces` are empty. */
  constructor(store: ObjectStore, objects: OidTable, options: PackOptions, pieces = new PackPieces()) {
    this.#store = store;
    this.#objects = objects;
    this.#options = options;
    this.#pieces = pieces;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    const header = Buffer.alloc(packHeaderBytes);
    header.write("PACK", "latin1");
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(this.#objects.size, 8);
    this.#write(header);
    const { packed, loose } = this.#sorted();
    for (const [pack, numbers] of packed) yield* this.#copyFrom(pack, numbers);
    for (const oid of loose) yield* this.#writeWhole(oid);
    this.#pieces.write(this.#hasher.digest());
    yield* this.#full();
    yield this.#pieces.rest();
  }

  #write(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
    this.#pieces.write(bytes);
    this.#written += bytes.length;
  }

  *#full(): Generator<Uint8Array> {
    for (let piece = this.#pieces.take(); piece !== undefined; piece = this.#pieces.take()) {
      countGarbage(piece.length);
      yield piece;
    }
  }

  /** The objects by the packs that have them, in the order in which they lie there: so bases come before their deltas. */
  #sorted(): { readonly packed: Map<PackFile, Uint32Array>; readonly loose: Uint8Array[] } {
    const found = new Map<PackFile, number[]>();
    const loose: Uint8Array[] = [];
    for (const [oid] of this.#objects.entries()) {
      let isPacked = false;
      for (const pack of this.#store.packs) {
        const number = pack.find(oid);
        if (number === undefined) continue;
        const numbers = found.get(pack) ?? [];
        numbers.push(number);
        found.set(pack, numbers);
        isPacked = true;
        break;
      }
      if (!isPacked) loose.push(Uint8Array.from(oid));
    }
    const packed = new Map<PackFile, Uint32Array>();
    for (const [pack, numbers] of found) {
      const byOffset = (one: number, other: number) => pack.offset(one) - pack.offset(other);
      packed.set(pack, Uint32Array.from(numbers).sort(byOffset));
    }
    return { packed, loose };
  }

  async *#copyFrom(pack: PackFile, numbers: Uint32Array): AsyncGenerator<Uint8Array> {
    /** By the offset in the pack of the repository, that in the new one. */
    const moved = new Map<number, number>();
    const window = new PackWindow(pack);
    for (const number of numbers) {
      const offset = pack.offset(number);
      const begun = this.#written;
      const entry = headIn(window, offset);
      if (!("base" in entry)) {
        const header = entryHeader(typeNumbers[entry.type], entry.size);
        yield* this.#copyEntry(pack, window, number, header, entry);
      } else {
        const header = this.#deltaHeader(pack, entry, moved);
        if (header === undefined) yield* this.#writeWhole(Uint8Array.from(pack.oid(number)));
        else yield* this.#copyEntry(pack, window, number, header, entry);
      }
      moved.set(offset, begun);
    }
  }

  /** The head of a delta in the new pack; undefined when its base is not there. */
  #deltaHeader(
    pack: PackFile,
    { base, size }: { readonly base: number | string; readonly size: number },
    moved: ReadonlyMap<number, number>,
  ): Buffer | undefined {
    if (typeof base === "string") {
      const oid = Buffer.from(base, "hex");
      return this.#objects.has(oid) ? Buffer.concat([entryHeader(deltaOfId, size), oid]) : undefined;
    }
    const place = moved.get(base);
    if (place === undefined) return undefined;
    if (this.#options.hasOffsetDeltas) {
      return Buffer.concat([entryHeader(deltaOfOffset, size), distance(this.#written - place)]);
    }
    const number = pack.numberAt(base);
    return Buffer.concat([entryHeader(deltaOfId, size), pack.oid(number)]);
  }

  /** Copies compressed bytes. Throws where they are not those that were written. */
  *#copyEntry(
    pack: PackFile,
    window: PackWindow,
    number: number,
    header: Buffer,
    { offset, dataStart }: EntryHead,
  ): Generator<Uint8Array> {
    this.#write(header);
    let crc = crc32(window.at(offset, dataStart - offset));
    const end = pack.endOf(offset);
    for (let at = dataStart; at < end; at += pieceBytes) {
      const piece = window.at(at, Math.min(pieceBytes, end - at));
      crc = crc32(piece, crc);
      this.#write(piece);
      yield* this.#full();
    }
    if (crc !== pack.crc(number)) throw new Error(`the object ${hexOf(pack.oid(number))} of a pack is damaged`);
  }

  /** Writes an object that is a file of its own, or a delta of one that is not sent. */
  async *#writeWhole(oid: Uint8Array): AsyncGenerator<Uint8Array> {
    const found = this.#store.find(oid);
    if (found === undefined) throw new Error(`the object ${hexOf(oid)} of a repository is gone`);
    const place = placeToRead(this.#store, oid, found);
    const { type, size } = this.#store.headOf(place);
    this.#write(entryHeader(typeNumbers[type], size));
    for await (const piece of deflated(contentPieces(this.#store, place), size)) {
      this.#write(piece);
      yield* this.#full();
    }
  }
}

function headIn(window: PackWindow, offset: number): EntryHead {
  return parseEntryHead(window.at(offset, entryHeadBytesMin), offset);
}

/** How far before it the base of a delta begins (gitformat-pack). */
function distance(bytes: number): Buffer {
  const digits = [bytes % 128];
  for (let rest = Math.floor(bytes / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    digits.unshift(0x80 | (rest % 128));
  }
  return Buffer.from(digits);
}
