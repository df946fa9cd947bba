import { writeSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { applyDeltaNow, deltaHeader } from "../objects/delta.ts";
import type { ObjectType } from "../objects/limits.ts";
import { entryHeadBytesMin, parseEntryHead } from "../objects/pack-entry.ts";
import { entryHeader } from "./entry-header.ts";
import { PackError, type PackLimits, wholeBytesMax } from "./limits.ts";
import { inflateTo, readBytes } from "./object-store.ts";
import { oidBytes } from "./oid-table.ts";

/** By the number that packs have for them; 0 is a delta that is not made yet. */
export const typeNames: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];

/** The entries of a received pack by their places in it, and what is known of each. */
export class PackEntries {
  readonly #file: number;
  readonly #limits: PackLimits;
  count: number;
  /** Offset behind the last entry. */
  end = 0;
  offsets: Float64Array;
  crcs: Uint32Array;
  oids: Uint8Array;
  types: Uint8Array;

  constructor(file: number, count: number, limits: PackLimits) {
    this.#file = file;
    this.#limits = limits;
    this.count = count;
    this.offsets = new Float64Array(count);
    this.crcs = new Uint32Array(count);
    this.oids = new Uint8Array(count * oidBytes);
    this.types = new Uint8Array(count);
  }

  /** The entry that begins at an offset; undefined when none does. */
  placeOf(offset: number): number | undefined {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.offsets[low] === offset ? low : undefined;
  }

  head(at: number) {
    const offset = this.offsets[at] as number;
    return parseHead(readBytes(this.#file, offset, entryHeadBytesMin), offset);
  }

  /** The content of an entry, or the delta itself. It was unpacked before, so it is as long as it says. */
  inflate(at: number): Buffer {
    const { dataStart, size } = this.head(at);
    if (size > wholeBytesMax) throw new PackError(`delta of an object of ${size} bytes is too large`);
    const end = at + 1 < this.count ? (this.offsets[at + 1] as number) : this.end;
    return inflateTo(readBytes(this.#file, dataStart, end - dataStart), size);
  }

  /** Applies the delta of an entry. */
  applyTo(base: Buffer, delta: number): Buffer {
    const bytes = this.inflate(delta);
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

  /** Adds an object behind the last entry. Returns its place. */
  append(type: ObjectType, oid: Uint8Array, content: Buffer): number {
    const at = this.count;
    if (at >= this.offsets.length) this.#reserve(Math.max(64, 2 * at));
    const entry = Buffer.concat([entryHeader(typeNames.indexOf(type), content.length), deflateSync(content)]);
    writeSync(this.#file, entry, 0, entry.length, this.end);
    this.offsets[at] = this.end;
    this.crcs[at] = crc32(entry);
    this.oids.set(oid, at * oidBytes);
    this.types[at] = typeNames.indexOf(type);
    this.count += 1;
    this.end += entry.length;
    return at;
  }

  #reserve(count: number): void {
    this.offsets = grown(this.offsets, new Float64Array(count));
    this.crcs = grown(this.crcs, new Uint32Array(count));
    this.oids = grown(this.oids, new Uint8Array(count * oidBytes));
    this.types = grown(this.types, new Uint8Array(count));
  }
}

/** Throws `PackError` for bytes that begin no entry. */
export function parseHead(bytes: Buffer, offset: number) {
  try {
    return parseEntryHead(bytes, offset);
  } catch {
    throw new PackError("bad object header or delta base offset");
  }
}

function grown<T extends Float64Array | Uint32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old.subarray(0, Math.min(old.length, larger.length)));
  return larger;
}
