import { corruptionError } from "../corruption.ts";
import type { Disk } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { checksumIn, checksumSectionBytes, encodeChecked, requireWhole } from "../segments/checked-json.ts";
import { idsPerSegment, type Segment } from "../segments/segment.ts";
import { segmentFileName } from "../segments/segment-file.ts";
import type { LogIndex } from "./log-index.ts";

/** The offsets of the documents in the file of a sealed segment, by id modulo 1,024. They are in memory. */
export interface SealedSegment {
  readonly number: number;
  readonly savedSequence: number;
  /** The offset of the document's JSON in the file, its length in bytes (0: no document), and its CRC-32. */
  readonly offsets: Uint32Array;
  readonly lengths: Uint32Array;
  readonly checksums: Uint32Array;
}

/** The content of the file beside a sealed segment. The log's index takes the times and keys. */
export interface SideIndex {
  readonly segment: SealedSegment;
  /** Milliseconds since 1970. */
  readonly times: Float64Array;
  /** The `LogDeclaration.keysVersion` of the keys. */
  readonly keysVersion: number;
  /** Positions in the segment by key. */
  readonly keys: Readonly<Record<string, readonly number[]>>;
}

interface StoredSideIndex {
  readonly outpost: { readonly format: number };
  readonly segment: string;
  readonly sequence: number;
  /** The version of the keys; absent for version 1. */
  readonly version?: number;
  readonly offsets: string;
  readonly lengths: string;
  readonly checksums: string;
  readonly times: string;
  readonly keys: Record<string, number[]>;
}

const format = 1;
const lineFeed = 10;
const comma = 44;
const colon = 58;

export function sideIndexName(number: number): string {
  return `${String(number).padStart(6, "0")}.index.json`;
}

/** Returns the segment number in a file name; undefined for a file that is no side index. */
export function segmentNumberOfSideIndex(name: string): number | undefined {
  const match = /^(\d{6,})\.index\.json$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Returns the encoded side index of a segment file with these bytes. Throws `corruptionError` when the bytes are corrupt. */
export function encodeSideIndex<T extends StoredDocument>(
  path: string,
  bytes: Uint8Array,
  segment: Segment<T>,
  index: LogIndex<T>,
): Uint8Array {
  requireWhole(path, bytes);
  const offsets = new Uint32Array(idsPerSegment);
  const lengths = new Uint32Array(idsPerSegment);
  const checksums = new Uint32Array(idsPerSegment);
  const times = new Float64Array(idsPerSegment);
  const keys: Record<string, number[]> = {};
  let lineStart = bytes.indexOf(lineFeed) + 1;
  for (const document of segment) {
    const lineEnd = bytes.indexOf(lineFeed, lineStart);
    const start = bytes.indexOf(colon, lineStart) + 1;
    const end = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd;
    const place = document.id % idsPerSegment;
    offsets[place] = start;
    lengths[place] = end - start;
    checksums[place] = Bun.hash.crc32(bytes.subarray(start, end));
    times[place] = index.timeOf(document);
    for (const key of index.keysOf(document)) {
      keys[key] ??= [];
      keys[key].push(place);
    }
    lineStart = lineEnd + 1;
  }
  const inside = JSON.stringify({
    segment: checksumIn(bytes),
    sequence: segment.savedSequence,
    version: index.keysVersion,
    offsets: toText(offsets),
    lengths: toText(lengths),
    checksums: toText(checksums),
    times: toText(times),
    keys,
  } satisfies Omit<StoredSideIndex, "outpost" | "segment"> & { segment: string | undefined });
  return encodeChecked(`"format":${format}`, inside.slice(1, -1));
}

/** Returns the side index of the segment's file; undefined when there is none yet. Throws `corruptionError`. */
export function readSideIndex(disk: Disk, folder: string, number: number): SideIndex | undefined {
  const path = `${folder}/${sideIndexName(number)}`;
  return disk.exists(path) ? decodeSideIndex(disk, folder, number, disk.read(path)) : undefined;
}

/** Decodes a side index. Throws `corruptionError`, also when it belongs to another version of the segment's file. */
export function decodeSideIndex(disk: Disk, folder: string, number: number, bytes: Uint8Array): SideIndex {
  const path = `${folder}/${sideIndexName(number)}`;
  requireWhole(path, bytes);
  const stored = JSON.parse(new TextDecoder().decode(bytes)) as StoredSideIndex;
  if (stored.outpost.format !== format) throw corruptionError(path, 0, `side index format ${stored.outpost.format}`);
  const head = disk.readPart(`${folder}/${segmentFileName(number)}`, 0, checksumSectionBytes);
  if (checksumIn(head) !== stored.segment) throw corruptionError(path, 0, "it is the index of another segment");
  return {
    segment: {
      number,
      savedSequence: stored.sequence,
      offsets: new Uint32Array(fromText(stored.offsets)),
      lengths: new Uint32Array(fromText(stored.lengths)),
      checksums: new Uint32Array(fromText(stored.checksums)),
    },
    times: new Float64Array(fromText(stored.times)),
    keysVersion: stored.version ?? 1,
    keys: stored.keys,
  };
}

function toText(numbers: Uint32Array | Float64Array): string {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength).toBase64();
}

function fromText(text: string): ArrayBuffer {
  return Uint8Array.fromBase64(text).buffer;
}
