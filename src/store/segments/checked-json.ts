import { yieldToOthers } from "../../lib/yield.ts";
import { corruptionError } from "../corruption.ts";
import { type Disk, type DiskFile, writeFullyLater } from "../disk.ts";
import { checksumOf } from "../journal/journal-line.ts";

const opening = '{"outpost":{"checksum":"';
const checksumEnd = opening.length + 8;

/**
 * Encodes a JSON file with its own checksum: `{"outpost":{"checksum":"…",<header>},<rest>}`, over every byte after the
 * checksum. `header` and `rest` are the insides of JSON objects.
 */
export function encodeChecked(header: string, rest: string): Uint8Array {
  const bytes = Buffer.from(`${opening}00000000",${header}},${rest}}\n`);
  bytes.write(checksumOf(bytes.subarray(checksumEnd)), opening.length, "latin1");
  return bytes;
}

/** The number of characters that are collected before a write: a whole segment may be too long for one string. */
const pieceLength = 256 << 10;

/** Writes a checked file in pieces, with the bytes of `encodeChecked`. */
export class CheckedWriter {
  readonly #file: DiskFile;
  #text: string;
  #position = 0;
  #checksum = 0;

  constructor(file: DiskFile, header: string) {
    this.#file = file;
    this.#text = `${opening}00000000",${header}},`;
  }

  /** Adds to the object after the header. Returns undefined when there is nothing to wait for. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    return this.#text.length < pieceLength ? undefined : this.#flush();
  }

  async end(): Promise<void> {
    this.#text += "}\n";
    await this.#flush();
    await writeFullyLater(this.#file, Buffer.from(hexOf(this.#checksum), "latin1"), opening.length);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    const checked = this.#position === 0 ? bytes.subarray(checksumEnd) : bytes;
    this.#checksum = Number(Bun.hash.crc32(checked, this.#checksum));
    await writeFullyLater(this.#file, bytes, this.#position);
    this.#position += bytes.byteLength;
  }
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}

/** The number of bytes of a large file that are in memory at a time, besides a longer line. */
const partBytes = 4 << 20;
const lineFeed = 10;

/**
 * Yields the lines of a checked file, read in parts with pauses for other work. Throws `corruptionError` after the last line when a
 * byte is wrong: until then, the caller must not use the lines.
 */
export async function* checkedLines(disk: Disk, path: string): AsyncGenerator<Uint8Array> {
  const stated = checksumIn(disk.readPart(path, 0, checksumEnd));
  let checksum = 0;
  let open: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const part = disk.readPart(path, offset, partBytes);
    if (part.byteLength === 0) break;
    checksum = Number(Bun.hash.crc32(offset === 0 ? part.subarray(checksumEnd) : part, checksum));
    offset += part.byteLength;
    const end = part.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      yield Buffer.concat([...open, part.subarray(0, end)]);
      open = [];
    }
    open.push(part.slice(end));
    await yieldToOthers();
  }
  if (stated !== hexOf(checksum)) throw corruptionError(path, 0, "its checksum does not match its content");
}

/** Throws `corruptionError` unless the bytes match the checksum that they contain. */
export function requireWhole(path: string, bytes: Uint8Array): void {
  if (checksumIn(bytes) !== checksumOf(bytes.subarray(checksumEnd))) {
    throw corruptionError(path, 0, "its checksum does not match its content");
  }
}

/** Returns the checksum that a file contains; undefined for another kind of file. Needs only its first bytes. */
export function checksumIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(checksumEnd, bytes.byteLength)).toString("latin1");
  return start.startsWith(opening) ? start.slice(opening.length) : undefined;
}

/** The number of bytes that `checksumIn` reads. */
export const checksumSectionBytes = checksumEnd;

/**
 * Replaces a file so that a power loss leaves the old or the new one: `write` fills a temporary file, then sync, wait for
 * `mayReplace`, rename, sync of the folder. Removes the temporary file when it throws.
 */
export async function replaceFileLater(
  disk: Disk,
  folder: string,
  name: string,
  write: (file: DiskFile) => Promise<void>,
  mayReplace: () => Promise<void> | undefined,
): Promise<void> {
  const temporary = `${folder}/${name}.tmp`;
  const file = disk.open(temporary, "fresh");
  try {
    await write(file);
    await file.syncLater();
  } catch (error) {
    disk.remove(temporary);
    throw error;
  } finally {
    file.close();
  }
  await mayReplace();
  disk.rename(temporary, `${folder}/${name}`);
  await disk.syncFolderLater(folder);
}
