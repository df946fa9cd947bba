import { damaged } from "../corruption.ts";
import { type Disk, writeFullyLater } from "../disk.ts";
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

/** The text of such a file. Throws `damaged` unless every byte is as `encodeChecked` left it. */
export function checkedText(path: string, bytes: Uint8Array): string {
  if (statedChecksum(bytes) !== checksumOf(bytes.subarray(checksumEnd))) {
    throw damaged(path, 0, "its checksum does not fit its content");
  }
  return new TextDecoder().decode(bytes);
}

/** The checksum that a file says it has; undefined for another kind of file. Needs only its first bytes. */
export function statedChecksum(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(checksumEnd, bytes.byteLength)).toString("latin1");
  return start.startsWith(opening) ? start.slice(opening.length) : undefined;
}

/** How many of a file's first bytes `statedChecksum` looks at. */
export const statedChecksumBytes = checksumEnd;

/**
 * Replaces a file so that a power loss leaves the old or the new one: temporary file, sync, then what `mayReplace`
 * waits for, rename, sync of the folder. Leaves no temporary file behind when it throws.
 */
export async function replaceFileLater(
  disk: Disk,
  folder: string,
  name: string,
  bytes: Uint8Array,
  mayReplace: () => Promise<void> | undefined,
): Promise<void> {
  const temporary = `${folder}/${name}.tmp`;
  const file = disk.open(temporary, "fresh");
  try {
    await writeFullyLater(file, bytes, 0);
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
