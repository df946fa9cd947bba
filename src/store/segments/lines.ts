import { isAscii } from "node:buffer";

const lineFeed = 10;

/**
 * The lines of a text in UTF-8, without their ends. In a text with a character beyond ASCII, a line of ASCII is still held with
 * one byte a character, as are the values parsed from it: with two, the runtime takes three times as long to make JSON of them.
 */
export function linesOf({ buffer, byteOffset, byteLength }: Uint8Array): Iterable<string> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isAscii(bytes) ? plainLines(bytes.toString("latin1")) : mixedLines(bytes);
}

function* plainLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    if (end < 0) return yield text.slice(start);
    yield text.slice(start, end);
    start = end + 1;
  }
}

function* mixedLines(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    yield isAscii(line) ? line.toString("latin1") : line.toString();
    start = start + line.length + 1;
  }
}
