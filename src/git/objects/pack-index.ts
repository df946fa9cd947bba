/** Looks for objects in the index of a pack (gitformat-pack, version 2), which stays on the disk. */

import { closeSync, openSync, readSync } from "node:fs";

const oidBytes = 20;
/** `\377tOc`, and the version. */
const signature = Buffer.from("ff744f6300000002", "hex");
const fanoutBytes = 256 * 4;
const oidsStart = signature.length + fanoutBytes;
/** A size that has this bit is a place in the table of large sizes. */
const largeBit = 0x80_00_00_00;

/** The index of a pack, open. */
export class PackIndex implements Disposable {
  readonly #file: number;
  readonly #count: number;

  private constructor(file: number) {
    this.#file = file;
    if (!this.#bytes(0, signature.length).equals(signature))
      throw new Error("the index of a pack is of another version");
    this.#count = this.#fanout(255);
  }

  /** Throws as `openSync` does, and for a file that is no index. */
  static open(path: string): PackIndex {
    const file = openSync(path, "r");
    try {
      return new PackIndex(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
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
    const bytes = Buffer.alloc(length);
    if (readSync(this.#file, bytes, 0, length, from) < length) throw new Error("the index of a pack is cut off");
    return bytes;
  }
}
