/** The index of a pack in memory, for work that looks up many objects (gitformat-pack, version 2). */

import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { oidBytes } from "./oid-table.ts";

const signature = 0xff744f63;
const headerBytes = 8;
const fanoutBytes = 256 * 4;
const trailerBytes = 2 * oidBytes;
const largeBit = 0x80_00_00_00;

/** Packs of one repository that are open at a time, in each thread: a process may open few files, and anyone may push packs. */
const openMax = 16;

/** The open files of packs. */
export class OpenPacks {
  readonly #files = new Map<PackFile, number>();

  /** Opens the file of a pack, and closes the one that was opened first where there are too many. */
  fileOf(pack: PackFile): number {
    const known = this.#files.get(pack);
    if (known !== undefined) return known;
    for (const [first, file] of this.#files) {
      if (this.#files.size < openMax) break;
      this.#files.delete(first);
      closeSync(file);
    }
    const file = openSync(`${pack.path}.pack`, "r");
    this.#files.set(pack, file);
    return file;
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }
}

/** A pack and its index. Objects are numbered by the order of their ids. */
export class PackFile {
  /** The path without its ending. */
  readonly path: string;
  readonly count: number;
  /** Bytes of the pack. */
  readonly size: number;
  readonly #index: Buffer;
  readonly #open: OpenPacks;

  constructor(path: string, open: OpenPacks) {
    this.path = path;
    this.#open = open;
    this.#index = readWhole(`${path}.idx`);
    const { length } = this.#index;
    if (length < headerBytes + fanoutBytes + trailerBytes || this.#index.readUInt32BE(0) !== signature) {
      throw new Error("the index of a pack is damaged");
    }
    this.count = this.#fanout(255);
    if (length < headerBytes + fanoutBytes + (oidBytes + 8) * this.count + trailerBytes) {
      throw new Error("the index of a pack is damaged");
    }
    this.size = statSync(`${path}.pack`).size;
  }

  /** The open pack, until another one is read. */
  get file(): number {
    return this.#open.fileOf(this);
  }

  /** The number of an object; undefined when the pack does not have it. */
  find(oid: Uint8Array, start = 0): number | undefined {
    const first = oid[start] as number;
    let low = first === 0 ? 0 : this.#fanout(first - 1);
    let high = this.#fanout(first);
    const oids = headerBytes + fanoutBytes;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = oids + oidBytes * middle;
      const order = this.#index.compare(oid, start, start + oidBytes, at, at + oidBytes);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** The id of an object, as a view of the index. */
  oid(number: number): Uint8Array {
    const at = headerBytes + fanoutBytes + oidBytes * number;
    return this.#index.subarray(at, at + oidBytes);
  }

  /** CRC-32 of the compressed entry. */
  crc(number: number): number {
    return this.#index.readUInt32BE(headerBytes + fanoutBytes + oidBytes * this.count + 4 * number);
  }

  offset(number: number): number {
    const offsets = headerBytes + fanoutBytes + (oidBytes + 4) * this.count;
    const offset = this.#index.readUInt32BE(offsets + 4 * number);
    if (offset < largeBit) return offset;
    return Number(this.#index.readBigUInt64BE(offsets + 4 * this.count + 8 * (offset - largeBit)));
  }

  /** All offsets in order, with the end of the last entry behind. An entry ends where the next one begins. */
  get sortedOffsets(): Float64Array {
    this.#sortedOffsets ??= Float64Array.from({ length: this.count + 1 }, (_, at) =>
      at === this.count ? this.size - oidBytes : this.offset(at),
    ).sort();
    return this.#sortedOffsets;
  }

  #sortedOffsets: Float64Array | undefined;

  /** The end of the entry that begins at an offset. Throws for an offset at which none begins. */
  endOf(offset: number): number {
    const offsets = this.sortedOffsets;
    let [low, high] = [0, offsets.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    const end = offsets[low + 1];
    if (offsets[low] !== offset || end === undefined) throw new Error("an object of a pack is damaged");
    return end;
  }

  /** The number of the object that begins at an offset. */
  numberAt(offset: number): number {
    this.#numbers ??= new Map(Array.from({ length: this.count }, (_, number) => [this.offset(number), number]));
    const number = this.#numbers.get(offset);
    if (number === undefined) throw new Error("an object of a pack is damaged");
    return number;
  }

  #numbers: Map<number, number> | undefined;

  #fanout(at: number): number {
    return this.#index.readUInt32BE(headerBytes + 4 * at);
  }
}

function readWhole(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(file).size);
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(file, bytes, read, bytes.length - read, read);
      if (more === 0) throw new Error("the index of a pack is cut off");
      read += more;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
