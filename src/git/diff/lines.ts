/** The lines that two files have, as numbers that are equal where the lines are. */

import type { Steps } from "../../lib/yield.ts";

export interface NumberedLines {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const linesPerStep = 512;
const lineBreak = 0x0a;

/** Numbers the lines of two files. A line without its break at the end is another one than with it. */
export function* numberLines(before: Uint8Array, after: Uint8Array): Steps<NumberedLines> {
  const known = new Map<string, number>();
  return { before: yield* numbersOf(before, known), after: yield* numbersOf(after, known) };
}

function* numbersOf(bytes: Uint8Array, known: Map<string, number>): Steps<number[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: number[] = [];
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(lineBreak, start);
    const end = found === -1 ? buffer.length : found + 1;
    const line = buffer.toString("latin1", start, end);
    let number = known.get(line);
    if (number === undefined) {
      number = known.size;
      known.set(line, number);
    }
    if (numbers.push(number) % linesPerStep === 0) yield;
    start = end;
  }
  return numbers;
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
