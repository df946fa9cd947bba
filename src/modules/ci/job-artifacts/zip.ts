/** The reader of one file in a zip archive. */

/** A file in a zip archive, as its table of contents has it. */
interface Entry {
  /** Bytes when it is inflated, as far as the table of contents can be trusted. */
  readonly size: number;
  readonly isEncrypted: boolean;
  /** `0` as it is, `8` deflated. */
  readonly method: number;
  /** Bytes in the archive. */
  readonly length: number;
  /** The offset of its own header. */
  readonly at: number;
}

const endLength = 22;
const commentMax = 0xffff;
const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const entryLength = 46;
const headerMark = 0x04034b50;
const headerLength = 30;
/** Limits of a table of contents, which strangers may ask about: bytes, files, and bytes that are read in one go. */
const contentsMax = 16 * 1024 * 1024;
const entriesMax = 100_000;
const pieceLength = 256 * 1024;

/** A file of an archive: its bytes, inflated while they are read, and how many they should be. */
interface ZippedFile {
  readonly content: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly size: number;
}

/**
 * One file of an archive; undefined for one that is absent or encrypted, for a folder, and for a file that is no archive.
 * Archives beyond 4 GB count as none.
 */
export async function fileInZip(archive: Blob, path: string): Promise<ZippedFile | undefined> {
  const entry = path.endsWith("/") ? undefined : await findNamed(archive, path);
  if (entry === undefined || entry.isEncrypted) return undefined;
  const header = await viewOf(archive, entry.at, headerLength);
  if (header.byteLength < headerLength || header.getUint32(0, true) !== headerMark) return undefined;
  const start = entry.at + headerLength + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + entry.length > archive.size) return undefined;
  const bytes = archive.slice(start, start + entry.length).stream();
  const { size } = entry;
  if (entry.method === 0) return { content: bytes, size };
  return entry.method === 8 ? { content: bytes.pipeThrough(new DecompressionStream("deflate-raw")), size } : undefined;
}

/** True when the archive lists the path as a folder. */
export async function hasFolder(archive: Blob, path: string): Promise<boolean> {
  return (await findNamed(archive, `${path}/`)) !== undefined;
}

function findNamed(archive: Blob, path: string): Promise<Entry | undefined> {
  return find(archive, new TextEncoder().encode(path));
}

async function find(archive: Blob, name: Uint8Array): Promise<Entry | undefined> {
  const from = Math.max(0, archive.size - endLength - commentMax);
  const tail = await viewOf(archive, from, archive.size - from);
  for (let at = tail.byteLength - endLength; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endMark) continue;
    const length = tail.getUint32(at + 12, true);
    const start = tail.getUint32(at + 16, true);
    return length > contentsMax ? undefined : findIn(archive, { start, end: start + length }, name);
  }
  return undefined;
}

/** Piece by piece: others have their turn while each is read. */
async function findIn(
  archive: Blob,
  { start, end }: { readonly start: number; readonly end: number },
  wanted: Uint8Array,
): Promise<Entry | undefined> {
  let next = start;
  let left = entriesMax;
  while (next < end && left > 0) {
    const piece = await viewOf(archive, next, Math.min(pieceLength, end - next));
    let at = 0;
    for (; left > 0 && hasEntry(piece, at); left -= 1) {
      if (nameAt(piece, at).equals(wanted)) return entryAt(piece, at);
      at += lengthAt(piece, at);
    }
    if (at === 0) return undefined;
    next += at;
  }
  return undefined;
}

/** True when an entry begins at `at` and its name is in the piece, too. */
function hasEntry(piece: DataView, at: number): boolean {
  if (at + entryLength > piece.byteLength || piece.getUint32(at, true) !== entryMark) return false;
  return at + entryLength + piece.getUint16(at + 28, true) <= piece.byteLength;
}

function nameAt(piece: DataView<ArrayBuffer>, at: number): Buffer {
  return Buffer.from(piece.buffer, piece.byteOffset + at + entryLength, piece.getUint16(at + 28, true));
}

/** Returns the length of an entry with its name, extra fields and comment. */
function lengthAt(piece: DataView, at: number): number {
  return entryLength + [28, 30, 32].reduce((sum, field) => sum + piece.getUint16(at + field, true), 0);
}

function entryAt(piece: DataView, at: number): Entry {
  return {
    isEncrypted: (piece.getUint16(at + 8, true) & 1) === 1,
    method: piece.getUint16(at + 10, true),
    length: piece.getUint32(at + 20, true),
    size: piece.getUint32(at + 24, true),
    at: piece.getUint32(at + 42, true),
  };
}

async function viewOf(archive: Blob, at: number, length: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await archive.slice(at, at + length).arrayBuffer());
}
