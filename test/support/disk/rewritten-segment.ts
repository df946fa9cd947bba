import { readFile, writeFile } from "node:fs/promises";

/** Changes a text in a segment, and its checksum with it: as another program would that knows the format. */
export async function rewriteSegment(path: string, from: string, to: string): Promise<void> {
  const bytes = Buffer.from((await readFile(path, "utf8")).replace(from, to));
  const checksumAt = bytes.indexOf('"checksum":"') + '"checksum":"'.length;
  const checksum = Number(Bun.hash.crc32(bytes.subarray(checksumAt + 8)));
  bytes.write(checksum.toString(16).padStart(8, "0"), checksumAt);
  await writeFile(path, bytes);
}
