/** Archives of trees as tar. */

import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { pour } from "../../lib/drain.ts";
import { addTarEntry } from "../../lib/tar.ts";
import { type ArchiveEntry, type ArchiveOrder, piecesOfEntry } from "./entries.ts";

const blockBytes = 512;

/** The pieces of a tar archive, made as they are taken. Throws what the entries throw. */
export async function* tarPieces(
  entries: AsyncIterable<ArchiveEntry>,
  { commit, time }: ArchiveOrder,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield commitHeader(commit, time);
  const tar = pack();
  const filling = fill(tar, entries, new Date(time * 1000)).catch((error: unknown) => tar.destroy(errorOf(error)));
  try {
    for await (const piece of tar as AsyncIterable<Buffer<ArrayBuffer>>) yield piece;
  } finally {
    tar.destroy();
    await filling;
  }
}

async function fill(tar: Pack, entries: AsyncIterable<ArchiveEntry>, mtime: Date): Promise<void> {
  for await (const entry of entries) {
    const { path: name, kind, mode, size } = entry;
    const header = { name, mode, mtime, uname: "root", gname: "root" };
    if (kind === "file") await addTarEntry(tar, { ...header, size }, piecesOfEntry(entry));
    else if (kind === "folder") tar.entry({ ...header, type: "directory" });
    else tar.entry({ ...header, type: "symlink", linkname: await textOf(entry) });
    if (tar.destroyed) return;
  }
  tar.finalize();
}

async function textOf(entry: ArchiveEntry): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOfEntry(entry)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The first header of git's archives: a comment with the id of the commit, which `git get-tar-commit-id` shows. */
function commitHeader(commit: string, time: number): Uint8Array<ArrayBuffer> {
  const comment = ` comment=${commit}\n`;
  const record = `${comment.length + 2}${comment}`;
  const header = Buffer.alloc(2 * blockBytes);
  const number = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  header.write("pax_global_header", 0);
  number(0o666, 100, 8);
  number(0, 108, 8);
  number(0, 116, 8);
  number(record.length, 124, 12);
  number(time, 136, 12);
  header.write("        g", 148);
  header.write("ustar\x0000root", 257);
  header.write("root", 297);
  const sum = header.subarray(0, blockBytes).reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  header.write(record, blockBytes);
  return new Uint8Array(header);
}

/** A higher level costs more than it saves. */
const gzipLevel = 6;

/** The same pieces compressed. */
export async function* gzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip({ level: gzipLevel, chunkSize: 1 << 16 });
  const writing = pour(pieces, gzip).catch((error: unknown) => gzip.destroy(errorOf(error)));
  try {
    for await (const piece of gzip as AsyncIterable<Buffer<ArrayBuffer>>) yield piece;
  } finally {
    gzip.destroy();
    await writing;
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
