import { isAscii } from "node:buffer";

const lineFeed = 10;

/**
 * Calls `take` with each line of a text in UTF-8, without its end. In a text with a character beyond ASCII, a line of ASCII is
 * still held with one byte a character, as are the values parsed from it: with two, the runtime takes three times as long to
 * make JSON of them.
 */
export function forEachLine({ buffer, byteOffset, byteLength }: Uint8Array, take: (line: string) => void): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (isAscii(bytes)) forEachPlainLine(bytes.toString("latin1"), take);
  else forEachMixedLine(bytes, take);
}

function forEachPlainLine(text: string, take: (line: string) => void): void {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end < 0 ? text.length : end);
    take(line);
    start += line.length + 1;
  }
}

function forEachMixedLine(bytes: Buffer, take: (line: string) => void): void {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    take(isAscii(line) ? line.toString("latin1") : line.toString());
    start += line.length + 1;
  }
}
