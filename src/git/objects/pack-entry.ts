/** The beginning of an object in a pack (gitformat-pack). */

import { type DeltaHeader, deltaHeader } from "./delta.ts";
import { beginningBytes, parseBeginning } from "./inflating.ts";
import type { ObjectType } from "./limits.ts";

interface Entry {
  /** Offset of the entry in the pack. */
  readonly offset: number;
  /** Offset of its compressed bytes in the pack. */
  readonly dataStart: number;
  /** Bytes that these unpack to. */
  readonly size: number;
}

export interface WholeEntry extends Entry {
  readonly type: ObjectType;
}

export interface DeltaEntry extends Entry {
  /** The object that the delta changes: its offset in the pack, or its id. */
  readonly base: number | string;
  readonly header: DeltaHeader;
}

export type PackEntry = WholeEntry | DeltaEntry;

const types: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];
const deltaOfOffset = 6;
const deltaOfId = 7;
const oidBytes = 20;
/** Bytes of a size or an offset, at most. */
const numberBytesMax = 9;

/** Bytes that are enough for `parseEntryHead`. */
export const entryHeadBytesMin = 2 * numberBytesMax + oidBytes;
/** Bytes that are enough for `parseEntry`. */
export const entryHeadBytes = entryHeadBytesMin + beginningBytes;

/** `head` are the first bytes of the entry. Throws for bytes that are none. */
export function parseEntry(head: Buffer, offset: number): PackEntry {
  const entry = parseEntryHead(head, offset);
  if (!("base" in entry)) return entry;
  const header = parseBeginning(head.subarray(entry.dataStart - offset), deltaHeader);
  if (header === undefined) throw damaged();
  return { ...entry, header };
}

/** The same without the header of a delta, which is compressed: `entryHeadBytesMin` bytes are enough. */
export function parseEntryHead(head: Buffer, offset: number): WholeEntry | Omit<DeltaEntry, "header"> {
  const reader = new HeadReader(head);
  const first = reader.byte();
  const size = reader.size(first);
  const type = (first >> 4) & 0x07;
  const whole = types[type];
  if (whole !== undefined) return { offset, size, type: whole, dataStart: offset + reader.at };
  if (type !== deltaOfOffset && type !== deltaOfId) throw damaged();
  const base = type === deltaOfId ? reader.oid() : offset - reader.distance();
  if (typeof base === "number" && (base >= offset || base <= 0)) throw damaged();
  return { offset, size, base, dataStart: offset + reader.at };
}

class HeadReader {
  readonly #head: Buffer;
  at = 0;

  constructor(head: Buffer) {
    this.#head = head;
  }

  byte(): number {
    const byte = this.#head[this.at];
    if (byte === undefined || this.at > 2 * numberBytesMax) throw damaged();
    this.at += 1;
    return byte;
  }

  /** Four bits of the first byte, and seven of each that follows, the lowest first. */
  size(first: number): number {
    let size = first & 0x0f;
    let unit = 16;
    for (let byte = first; byte >= 0x80; unit *= 128) {
      byte = this.byte();
      size += (byte & 0x7f) * unit;
    }
    if (!Number.isSafeInteger(size)) throw damaged();
    return size;
  }

  /** How far before it the base of a delta begins: seven bits a byte, the highest first, each but the last plus one. */
  distance(): number {
    let byte = this.byte();
    let distance = byte & 0x7f;
    while (byte >= 0x80) {
      byte = this.byte();
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    return distance;
  }

  oid(): string {
    if (this.at + oidBytes > this.#head.length) throw damaged();
    this.at += oidBytes;
    return this.#head.toString("hex", this.at - oidBytes, this.at);
  }
}

function damaged(): Error {
  return new Error("an object of a pack is damaged");
}
