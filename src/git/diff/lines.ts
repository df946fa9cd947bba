/** The lines of files, as numbers that are equal where the lines are. */

import type { Steps } from "../../lib/yield.ts";

/** A file in lines. */
export interface FileLines {
  readonly bytes: Uint8Array;
  readonly numbers: readonly number[];
  /** The place of the first byte of each line, and the end of the last one. */
  readonly starts: readonly number[];
}

export const linesPerStep = 512;
export const lineBreak = 0x0a;

/** Numbers the lines of two files. A line without its break at the end is another one than with it. */
export function* numberLines(
  before: Uint8Array,
  after: Uint8Array,
): Steps<{ readonly before: FileLines; readonly after: FileLines }> {
  const known = new Map<string, number>();
  return { before: yield* linesOf(before, known), after: yield* linesOf(after, known) };
}

/** Numbers the lines of one file by the lines that are known, and adds the others to them. */
export function* linesOf(bytes: Uint8Array, known: Map<string, number>): Steps<FileLines> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = [];
  const starts = [0];
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(lineBreak, start);
    const end = found === -1 ? buffer.length : found + 1;
    const line = buffer.toString("latin1", start, end);
    let number = known.get(line);
    if (number === undefined) {
      number = known.size;
      known.set(line, number);
    }
    starts.push(end);
    if (numbers.push(number) % linesPerStep === 0) yield;
    start = end;
  }
  return { bytes, numbers, starts };
}

/** The number of lines of a file. */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  let at = bytes.indexOf(lineBreak);
  for (; at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return bytes.length > 0 && bytes.at(-1) !== lineBreak ? count + 1 : count;
}

/** Git looks for a zero byte here before it takes a file for text. */
const lookedAtBytes = 8_000;

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, lookedAtBytes).includes(0);
}
