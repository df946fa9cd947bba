/** A file in a zip archive, as its table of contents has it. */
interface Entry {
  readonly isEncrypted: boolean;
  /** `0` as it is, `8` deflated. */
  readonly method: number;
  /** Bytes in the archive. */
  readonly length: number;
  /** Where its own header begins. */
  readonly at: number;
}

const endLength = 22;
const commentMax = 0xffff;
const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const entryLength = 46;
const headerMark = 0x04034b50;
const headerLength = 30;
/** Bytes of a table of contents: one of half a million files. */
const contentsMax = 32 * 1024 * 1024;

/**
 * One file of an archive, inflated as it is read; undefined for one that is not in it or is encrypted, for a folder, and for
 * what is no archive. Those beyond 4 GB are none here.
 */
export async function fileInZip(
  archive: Blob,
  path: string,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> {
  const entry = path.endsWith("/") ? undefined : await find(archive, new TextEncoder().encode(path));
  if (entry === undefined || entry.isEncrypted) return undefined;
  const header = await viewOf(archive, entry.at, headerLength);
  if (header.byteLength < headerLength || header.getUint32(0, true) !== headerMark) return undefined;
  const start = entry.at + headerLength + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + entry.length > archive.size) return undefined;
  const bytes = archive.slice(start, start + entry.length).stream();
  if (entry.method === 0) return bytes;
  return entry.method === 8 ? bytes.pipeThrough(new DecompressionStream("deflate-raw")) : undefined;
}

async function find(archive: Blob, name: Uint8Array): Promise<Entry | undefined> {
  const from = Math.max(0, archive.size - endLength - commentMax);
  const tail = await viewOf(archive, from, archive.size - from);
  for (let at = tail.byteLength - endLength; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endMark) continue;
    const length = tail.getUint32(at + 12, true);
    if (length > contentsMax) return undefined;
    return findIn(await viewOf(archive, tail.getUint32(at + 16, true), length), name);
  }
  return undefined;
}

function findIn(contents: DataView, wanted: Uint8Array): Entry | undefined {
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  for (let at = 0; at + entryLength <= contents.byteLength && contents.getUint32(at, true) === entryMark; ) {
    const nameLength = contents.getUint16(at + 28, true);
    const name = bytes.subarray(at + entryLength, at + entryLength + nameLength);
    if (name.equals(wanted)) {
      return {
        isEncrypted: (contents.getUint16(at + 8, true) & 1) === 1,
        method: contents.getUint16(at + 10, true),
        length: contents.getUint32(at + 20, true),
        at: contents.getUint32(at + 42, true),
      };
    }
    at += entryLength + nameLength + contents.getUint16(at + 30, true) + contents.getUint16(at + 32, true);
  }
  return undefined;
}

async function viewOf(archive: Blob, at: number, length: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await archive.slice(at, at + length).arrayBuffer());
}
