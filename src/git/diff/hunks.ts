/** The text of a change of one file, as `git diff` writes it. */

import { trimEndCharacters } from "../../lib/text/trim.ts";
import type { Steps } from "../../lib/yield.ts";
import { type FlaggedLines, findChangedLines, type LineChanges } from "./changed-lines.ts";
import { countLines, type FileLines, lineBreak, linesPerStep } from "./lines.ts";
import { slideChanges } from "./slide-changes.ts";

/** Lines that take the place of others. A side without any is at the line where they would be. */
export interface LineChange {
  readonly before: LineRange;
  readonly after: LineRange;
}

export interface LineRange {
  /** From 0 on. */
  readonly start: number;
  /** The line behind the last one. */
  readonly end: number;
}

/** Lines of two files that are compared. */
const linesMax = 400_000;
const contextLines = 3;

/** The changes of one file, in order; undefined where there are too many lines. */
export function* changesOf(
  before: Uint8Array,
  after: Uint8Array,
): Steps<{ readonly lines: LineChanges; readonly changes: readonly LineChange[] } | undefined> {
  if (countLines(before) + countLines(after) > linesMax) return undefined;
  const lines = yield* findChangedLines(before, after);
  yield* slideChanges(lines);
  return { lines, changes: listChanges(lines) };
}

/** The runs of changed lines. */
export function listChanges({
  before,
  after,
}: {
  readonly before: FlaggedLines;
  readonly after: FlaggedLines;
}): LineChange[] {
  const changes: LineChange[] = [];
  let [old, now] = [0, 0];
  while (old < before.numbers.length || now < after.numbers.length) {
    if (before.changed[old] !== 1 && after.changed[now] !== 1) {
      [old, now] = [old + 1, now + 1];
      continue;
    }
    const [oldStart, nowStart] = [old, now];
    while (before.changed[old] === 1) old += 1;
    while (after.changed[now] === 1) now += 1;
    changes.push({ before: { start: oldStart, end: old }, after: { start: nowStart, end: now } });
  }
  return changes;
}

/** The text of a change, or the reason why there is none. */
export type Hunks = { readonly bytes: Buffer; readonly lineCount: number } | "too large";

/** The hunks between two files. Those of `bytesMax` bytes or more, and those of very many lines, are too large. */
export function* hunksBetween(before: Uint8Array, after: Uint8Array, bytesMax: number): Steps<Hunks> {
  const found = yield* changesOf(before, after);
  if (found === undefined) return "too large";
  const { lines, changes } = found;
  const text = new HunkText();
  let named = 0;
  let name = "";
  let yieldedAt = 0;
  for (let at = 0; at < changes.length; ) {
    const first = at;
    at += 1;
    while (at < changes.length && distance(changes[at - 1], changes[at]) <= 2 * contextLines) at += 1;
    const hunk = changes.slice(first, at);
    const range = rangeOf(hunk, lines);
    name = nameAbove(lines.before, named, range.before.start) ?? name;
    named = range.before.start;
    text.addHeader(range, name);
    addHunk(text, hunk, range, lines);
    if (text.length >= bytesMax) return "too large";
    if (text.lineCount - yieldedAt < linesPerStep) continue;
    yieldedAt = text.lineCount;
    yield;
  }
  return { bytes: text.toBuffer(), lineCount: text.lineCount };
}

function distance(one: LineChange | undefined, next: LineChange | undefined): number {
  return (next?.before.start ?? 0) - (one?.before.end ?? 0);
}

/** The lines of a hunk, those around its changes included. */
function rangeOf(hunk: readonly LineChange[], { before, after }: LineChanges): LineChange {
  const [first, last] = [hunk[0] as LineChange, hunk.at(-1) as LineChange];
  const below = Math.min(contextLines, before.numbers.length - last.before.end, after.numbers.length - last.after.end);
  return {
    before: { start: Math.max(first.before.start - contextLines, 0), end: last.before.end + below },
    after: { start: Math.max(first.after.start - contextLines, 0), end: last.after.end + below },
  };
}

function addHunk(text: HunkText, hunk: readonly LineChange[], range: LineChange, { before, after }: LineChanges): void {
  let now = range.after.start;
  for (const change of hunk) {
    text.addLines(" ", after, { start: now, end: change.after.start });
    text.addLines("-", before, change.before);
    text.addLines("+", after, change.after);
    now = change.after.end;
  }
  text.addLines(" ", after, { start: now, end: range.after.end });
}

/** Bytes of a line that a hunk is named by. */
const nameBytesMax = 80;

/** The nearest line above a hunk that begins with a letter, `_` or `$`: most languages begin a function so. */
function nameAbove({ bytes, starts }: FileLines, from: number, to: number): string | undefined {
  for (let line = to - 1; line >= from; line -= 1) {
    const start = starts[line] as number;
    if (!/[A-Za-z_$]/.test(String.fromCharCode(bytes[start] as number))) continue;
    const end = Math.min(start + nameBytesMax, starts[line + 1] as number);
    return trimEndCharacters(Buffer.from(bytes.subarray(start, end)).toString("latin1"), " \t\r\n");
  }
  return undefined;
}

/** The text of hunks as it grows. Bytes stay bytes: files have any encoding. */
class HunkText {
  readonly #parts: Uint8Array[] = [];
  length = 0;
  lineCount = 0;

  addHeader({ before, after }: LineChange, name: string): void {
    const named = name === "" ? "" : ` ${name}`;
    this.#add(Buffer.from(`@@ -${placeOf(before)} +${placeOf(after)} @@${named}\n`, "latin1"));
    this.lineCount += 1;
  }

  addLines(sign: " " | "-" | "+", { bytes, starts }: FileLines, { start, end }: LineRange): void {
    for (let line = start; line < end; line += 1) {
      const text = bytes.subarray(starts[line], starts[line + 1]);
      this.#add(signs[sign]);
      this.#add(text);
      if (text.at(-1) !== lineBreak) this.#add(noLineBreak);
      this.lineCount += 1;
    }
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts, this.length);
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.length += bytes.length;
  }
}

const signs = { " ": Buffer.from(" "), "-": Buffer.from("-"), "+": Buffer.from("+") };
const noLineBreak = Buffer.from("\n\\ No newline at end of file\n");

function placeOf({ start, end }: LineRange): string {
  const count = end - start;
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}
