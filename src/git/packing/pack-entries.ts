import { writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { applyDeltaNow } from "../objects/delta.ts";
import type { ObjectType } from "../objects/limits.ts";
import { entryHeadBytesMin, parseEntryHead } from "../objects/pack-entry.ts";
import { entryHeader } from "./entry-header.ts";
import { applyToFile, deltaHeaderOf } from "./large-delta.ts";
import { heldBytesMax, PackError, type PackLimits, wholeBytesMax } from "./limits.ts";
import { type EntryHead, inflateTo, readShared } from "./object-store.ts";
import { oidBytes } from "./oid-table.ts";
import { PackWindow } from "./pack-window.ts";
import { type Content, freeContent, type Scratch } from "./scratch.ts";

/** By the number that packs have for them; 0 is a delta that is not made yet. */
export const typeNames: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];

/** The result of a delta, and the bytes of the largest of base, delta and result. */
interface Applied {
  readonly content: Content;
  readonly part: number;
}

/** Whether objects of a type are always held in memory: they are checked. */
function isHeld(type: number): boolean {
  return typeNames[type] !== "blob" && type !== 0;
}

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

  head(at: number): EntryHead {
    const offset = this.offsets[at] as number;
    return parseHead(readShared(this.#file, offset, entryHeadBytesMin), offset);
  }

  /** The content of an entry, or the delta itself, in memory. It was unpacked before, so it is as long as it says. */
  #inflate({ dataStart, size }: EntryHead, at: number): Buffer {
    const end = at + 1 < this.count ? (this.offsets[at + 1] as number) : this.end;
    return inflateTo(readShared(this.#file, dataStart, end - dataStart), size);
  }

  /** The same, in the file where it is large. */
  async unpack(at: number, scratch: Scratch): Promise<Content> {
    const head = this.head(at);
    if (head.size <= heldBytesMax || isHeld(this.types[at] as number)) return this.#inflate(head, at);
    const writer = scratch.begin();
    await new PackWindow({ file: this.#file }).inflate(head.dataStart, head.size, (piece) => writer.add(piece));
    return writer.finish();
  }

  /** Applies the delta of an entry in memory. undefined where base, delta or result are too large for it. */
  applyHeld(base: Content, at: number, type: number): Applied | undefined {
    const head = this.head(at);
    if (!(base instanceof Buffer) || head.size > (isHeld(type) ? wholeBytesMax : heldBytesMax)) return undefined;
    const delta = this.#inflate(head, at);
    const resultBytes = this.#resultBytes(delta, type);
    if (resultBytes > heldBytesMax && !isHeld(type)) return undefined;
    try {
      return { content: applyDeltaNow(base, delta), part: Math.max(base.length, delta.length, resultBytes) };
    } catch {
      throw new PackError("failed to apply delta");
    }
  }

  /** Applies the delta of a file's entry. */
  async applyToFile(base: Content, at: number, type: number, scratch: Scratch): Promise<Applied> {
    if (isHeld(type)) throw new PackError("delta of a commit, tree or tag is too large");
    const delta = await this.unpack(at, scratch);
    try {
      const resultBytes = this.#resultBytes(delta, type);
      const content = applyToFile(base, delta, scratch);
      return { content, part: Math.max(base.length, delta.length, resultBytes) };
    } finally {
      freeContent(delta);
    }
  }

  /** Throws `PackError` for more bytes than an object of the type may have. */
  #resultBytes(delta: Content, type: number): number {
    const bytes = deltaHeaderOf(delta)?.resultBytes;
    if (bytes === undefined) throw new PackError("failed to apply delta");
    if (bytes > Math.min(this.#limits.objectBytesMax, isHeld(type) ? wholeBytesMax : Number.POSITIVE_INFINITY)) {
      throw new PackError("delta makes an object that exceeds maximum allowed size");
    }
    return bytes;
  }

  /** Adds an object behind the last entry, from bytes that are compressed already. Returns its place. */
  async append(type: ObjectType, oid: Uint8Array, size: number, deflated: AsyncIterable<Uint8Array>): Promise<number> {
    const at = this.count;
    if (at >= this.offsets.length) this.#reserve(Math.max(64, 2 * at));
    const header = entryHeader(typeNames.indexOf(type), size);
    let end = this.end;
    let crc = 0;
    const write = (bytes: Uint8Array) => {
      writeSync(this.#file, bytes, 0, bytes.length, end);
      crc = crc32(bytes, crc);
      end += bytes.length;
    };
    write(header);
    for await (const piece of deflated) write(piece);
    this.offsets[at] = this.end;
    this.crcs[at] = crc;
    this.oids.set(oid, at * oidBytes);
    this.types[at] = typeNames.indexOf(type);
    this.count += 1;
    this.end = end;
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
