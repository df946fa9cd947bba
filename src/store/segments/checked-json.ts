import { yieldToOthers } from "../../lib/yield.ts";
import { damaged } from "../corruption.ts";
import { type Disk, type DiskFile, writeFullyLater } from "../disk.ts";
import { checksumOf } from "../journal/journal-line.ts";

const opening = '{"outpost":{"checksum":"';
const checksumEnd = opening.length + 8;

/**
 * JSON files that say their own checksum: `{"outpost":{"checksum":"…",<header>},<rest>}`, over every byte behind the
 * checksum. `header` and `rest` are the insides of JSON objects.
 */
export function encodeChecked(header: string, rest: string): Uint8Array {
  const bytes = Buffer.from(`${opening}00000000",${header}},${rest}}\n`);
  bytes.write(checksumOf(bytes.subarray(checksumEnd)), opening.length, "latin1");
  return bytes;
}

/** Characters that are gathered before they go to the disk: texts of many documents would be too long for one. */
const pieceLength = 256 << 10;

/** Writes such a file piece by piece; its bytes are those of `encodeChecked`. */
export class CheckedWriter {
  readonly #file: DiskFile;
  #text: string;
  #position = 0;
  #checksum = 0;

  constructor(file: DiskFile, header: string) {
    this.#file = file;
    this.#text = `${opening}00000000",${header}},`;
  }

  /** Adds to the insides of the object behind the header; undefined: there is nothing to wait for. */
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

/** Bytes of a large file that are in memory at a time, beside a line that is longer. */
const partBytes = 4 << 20;
const lineFeed = 10;

/**
 * Whole lines of such a file, read in parts between which others have their turn. Throws `damaged` behind the last one, unless
 * every byte is as it was written: until then nothing of it may be used.
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
  if (stated !== hexOf(checksum)) throw damaged(path, 0, "its checksum does not fit its content");
}

/** Throws `damaged` unless every byte of such a file is as `encodeChecked` left it. */
export function requireWhole(path: string, bytes: Uint8Array): void {
  if (checksumIn(bytes) !== checksumOf(bytes.subarray(checksumEnd))) {
    throw damaged(path, 0, "its checksum does not fit its content");
  }
}

/** The checksum that a file says it has; undefined for another kind of file. Needs only its first bytes. */
export function checksumIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(checksumEnd, bytes.byteLength)).toString("latin1");
  return start.startsWith(opening) ? start.slice(opening.length) : undefined;
}

/** Number of bytes that `checksumIn` reads at the start of a file. */
export const checksumSectionBytes = checksumEnd;

/**
 * Replaces a file so that a power loss leaves the old or the new one: temporary file with what `write` puts in, sync, then
 * what `mayReplace` waits for, rename, sync of the folder. Leaves no temporary file behind when it throws.
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
