/** Archives of trees as zip. */

import { crc32, createDeflateRaw } from "node:zlib";
import { pour } from "../../lib/drain.ts";
import { type ArchiveEntry, type ArchiveOrder, piecesOfEntry } from "./entries.ts";

/** A file of an archive, as the table at its end has it. */
interface Written {
  readonly checksum: number;
  readonly deflatedBytes: number;
  readonly bytes: number;
}

const [headerMark, descriptorMark, entryMark] = [0x04034b50, 0x08074b50, 0x02014b50];
const [end64Mark, locator64Mark, endMark] = [0x06064b50, 0x07064b50, 0x06054b50];
/** The version of the format that knows 8-byte numbers, and the system whose modes the table has: Unix. */
const [version, unix] = [45, 3];
/** Sizes and checksum come behind the content; names are UTF-8. */
const flags = (1 << 3) | (1 << 11);
const [stored, deflated] = [0, 8];
const [max16, max32] = [0xffff, 0xffff_ffff];

/** The pieces of a zip archive, made as they are taken. Throws what the entries throw. */
export async function* zipPieces(
  entries: AsyncIterable<ArchiveEntry>,
  { commit, time }: ArchiveOrder,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const table: Buffer<ArrayBuffer>[] = [];
  let at = 0;
  for await (const entry of entries) {
    const name = Buffer.from(entry.path);
    const header = fixedPart(entry, time);
    const written = { checksum: 0, deflatedBytes: 0, bytes: 0 };
    const start = at;
    const local = record(headerMark, [u16(version), header, u32(0), u32(0), u32(0), u16(name.length), u16(0), name]);
    yield local;
    for await (const piece of entry.kind === "folder" ? [] : deflatedPieces(entry, written)) yield piece;
    const { checksum, deflatedBytes, bytes } = written;
    // Readers know the width of the sizes from the local header alone, which has no 8-byte ones.
    if (Math.max(deflatedBytes, bytes) > max32) throw new Error("a file is too large for a zip archive");
    const descriptor = record(descriptorMark, [u32(checksum), u32(deflatedBytes), u32(bytes)]);
    yield descriptor;
    table.push(tableEntry(entry, header, name, written, start));
    at += local.length + deflatedBytes + descriptor.length;
  }
  const tableStart = at;
  for (const entry of table) {
    yield entry;
    at += entry.length;
  }
  yield ending(table.length, tableStart, at - tableStart, commit);
}

/** Returns the bytes that the header of a file shares with its entry in the table: flags, method and time. */
function fixedPart({ kind }: ArchiveEntry, time: number): Buffer<ArrayBuffer> {
  const at = new Date(time * 1000);
  const seconds = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const day = (Math.max(at.getUTCFullYear() - 1980, 0) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return Buffer.concat([u16(flags), u16(kind === "folder" ? stored : deflated), u16(seconds), u16(day & max16)]);
}

async function* deflatedPieces(
  entry: ArchiveEntry,
  written: { -readonly [K in keyof Written]: Written[K] },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const deflate = createDeflateRaw({ chunkSize: 1 << 16 });
  async function* measured() {
    for await (const piece of piecesOfEntry(entry)) {
      written.checksum = crc32(piece, written.checksum);
      written.bytes += piece.length;
      yield piece;
    }
  }
  const writing = pour(measured(), deflate).catch((error: unknown) => {
    deflate.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const piece of deflate as AsyncIterable<Buffer<ArrayBuffer>>) {
      written.deflatedBytes += piece.length;
      yield piece;
    }
  } finally {
    deflate.destroy();
    await writing;
  }
}

const modeBits = { folder: 0o040000, file: 0o100000, link: 0o120000 } as const;
const folderAttribute = 0x10;

function tableEntry(
  { kind, mode }: ArchiveEntry,
  header: Buffer,
  name: Buffer,
  { checksum, deflatedBytes, bytes }: Written,
  start: number,
): Buffer<ArrayBuffer> {
  const isFar = start >= max32;
  const extra = isFar ? Buffer.concat([u16(1), u16(8), u64(start)]) : Buffer.alloc(0);
  const attributes = (modeBits[kind] | mode) * 65_536 + (kind === "folder" ? folderAttribute : 0);
  return record(entryMark, [
    ...[u16((unix << 8) | version), u16(version), header, u32(checksum), u32(deflatedBytes), u32(bytes)],
    ...[u16(name.length), u16(extra.length), u16(0), u16(0), u16(0), u32(attributes), u32(isFar ? max32 : start)],
    ...[name, extra],
  ]);
}

/** The end of the archive, with the id of the commit as its comment. */
function ending(count: number, start: number, length: number, commit: string): Buffer<ArrayBuffer> {
  const comment = Buffer.from(commit);
  const end = record(endMark, [
    ...[u16(0), u16(0), u16(Math.min(count, max16)), u16(Math.min(count, max16))],
    ...[u32(Math.min(length, max32)), u32(Math.min(start, max32)), u16(comment.length), comment],
  ]);
  if (count < max16 && start + length < max32) return end;
  const numbers = [u32(0), u32(0), u64(count), u64(count), u64(length), u64(start)];
  const end64 = record(end64Mark, [u64(44), u16((unix << 8) | version), u16(version), ...numbers]);
  const locator = record(locator64Mark, [u32(0), u64(start + length), u32(1)]);
  return Buffer.concat([end64, locator, end]);
}

function record(mark: number, parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  return Buffer.concat([u32(mark), ...parts]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
