/** Looks for objects in the index of a pack (gitformat-pack, version 2). A small one is read into memory, a large one stays on the disk. */

import { closeSync, fstatSync, readFileSync, readSync } from "node:fs";
import { openRegular } from "../../lib/regular-file.ts";

const oidBytes = 20;
/** `\377tOc`, and the version. */
const signature = Buffer.from("ff744f6300000002", "hex");
const fanoutBytes = 256 * 4;
const oidsStart = signature.length + fanoutBytes;
/** A size that has this bit is a place in the table of large sizes. */
const largeBit = 0x80_00_00_00;

/** Bytes of an index that is read into memory: that of 36,000 objects. */
const smallIndexBytesMax = 1 << 20;

/** The index of a pack, open. */
export class PackIndex implements Disposable {
  /** The whole index, or the open file. */
  readonly #source: Buffer | number;
  readonly #count: number;

  private constructor(source: Buffer | number) {
    this.#source = source;
    if (!this.#bytes(0, signature.length).equals(signature))
      throw new Error("the index of a pack is of another version");
    this.#count = this.#fanout(255);
  }

  /** Throws as `openRegular` does, and for a file that is no index. */
  static open(path: string): PackIndex {
    const file = openRegular(path);
    try {
      const isSmall = fstatSync(file).size <= smallIndexBytesMax;
      const index = new PackIndex(isSmall ? readFileSync(file) : file);
      if (isSmall) closeSync(file);
      return index;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Bytes in memory; 0 for an index that stays on the disk and must be closed. */
  get bytesInMemory(): number {
    return typeof this.#source === "number" ? 0 : this.#source.length;
  }

  [Symbol.dispose](): void {
    if (typeof this.#source === "number") closeSync(this.#source);
  }

  /** Returns the offset of an object in the pack; undefined when the pack does not have it. */
  offsetOf(oid: string): number | undefined {
    const at = this.#firstNotBefore(oid);
    return at < this.#count && this.#oid(at) === oid ? this.#offset(at) : undefined;
  }

  /** The ids that begin with at least two hex digits, at most two of them. */
  twoWith(prefix: string): string[] {
    const found: string[] = [];
    for (let at = this.#firstNotBefore(prefix.padEnd(2 * oidBytes, "0")); at < this.#count; at += 1) {
      const oid = this.#oid(at);
      if (!oid.startsWith(prefix) || found.push(oid) === 2) break;
    }
    return found;
  }

  #firstNotBefore(oid: string): number {
    const first = Number.parseInt(oid.slice(0, 2), 16);
    let low = first === 0 ? 0 : this.#fanout(first - 1);
    let high = this.#fanout(first);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#oid(middle) < oid) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #fanout(at: number): number {
    return this.#bytes(signature.length + 4 * at, 4).readUInt32BE();
  }

  #oid(at: number): string {
    return this.#bytes(oidsStart + oidBytes * at, oidBytes).toString("hex");
  }

  #offset(at: number): number {
    const offsetsStart = oidsStart + (oidBytes + 4) * this.#count;
    const offset = this.#bytes(offsetsStart + 4 * at, 4).readUInt32BE();
    if (offset < largeBit) return offset;
    const large = this.#bytes(offsetsStart + 4 * this.#count + 8 * (offset - largeBit), 8);
    return Number(large.readBigUInt64BE());
  }

  #bytes(from: number, length: number): Buffer {
    const bytes =
      typeof this.#source === "number"
        ? readPart(this.#source, from, length)
        : this.#source.subarray(from, from + length);
    if (bytes.length < length) throw new Error("the index of a pack is cut off");
    return bytes;
  }
}

function readPart(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}
