/** Merges the lines of a file that two sides changed, as `git merge-file` does. */

import type { Steps } from "../../lib/yield.ts";
import type { LineChange } from "../diff/hunks.ts";
import { type FileLines, linesOf } from "../diff/lines.ts";
import { histogramChanges } from "./histogram.ts";

export interface ConflictMarkers {
  /** Characters of a marker. */
  readonly size: number;
  /** Names of the sides, which markers end with. */
  readonly one: string;
  readonly other: string;
}

export interface MergedLines {
  /** Conflicts are between markers. */
  readonly bytes: Uint8Array;
  readonly isClean: boolean;
}

/** A part of both sides in the place of a part of the base. */
interface Hunk {
  /** The side whose lines are taken; `both`: a conflict; `same`: one that turned out to be none. */
  kind: "one" | "other" | "both" | "same";
  baseStart: number;
  baseLength: number;
  oneStart: number;
  oneLength: number;
  otherStart: number;
  otherLength: number;
}

/** Merges two changes of a file. */
export function* mergeLines(
  base: Uint8Array,
  one: Uint8Array,
  other: Uint8Array,
  markers: ConflictMarkers,
): Steps<MergedLines> {
  const known = new Map<string, number>();
  const files = {
    base: yield* linesOf(base, known),
    one: yield* linesOf(one, known),
    other: yield* linesOf(other, known),
  };
  const ones = yield* histogramChanges(files.base.numbers, files.one.numbers);
  const others = yield* histogramChanges(files.base.numbers, files.other.numbers);
  if (ones.length === 0) return { bytes: other, isClean: true };
  if (others.length === 0) return { bytes: one, isClean: true };
  const hunks = joinNear(yield* refined(files, hunksOf(files, ones, others)));
  return { bytes: render(files, hunks, markers), isClean: hunks.every(({ kind }) => kind !== "both") };
}

interface ThreeFiles {
  readonly base: FileLines;
  readonly one: FileLines;
  readonly other: FileLines;
}

function lengthOf({ start, end }: { readonly start: number; readonly end: number }): number {
  return end - start;
}

/** Puts the changes of both sides in order. Those that both made alike are left out: the lines of `one` have them. */
function hunksOf(files: ThreeFiles, ones: readonly LineChange[], others: readonly LineChange[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [oneAt, otherAt] = [0, 0];
  // How much further a line of the base is in each side, behind the changes so far.
  let [oneShift, otherShift] = [0, 0];
  const takeOne = (change: LineChange) => {
    append(hunks, {
      kind: "one",
      baseStart: change.before.start,
      baseLength: lengthOf(change.before),
      oneStart: change.after.start,
      oneLength: lengthOf(change.after),
      otherStart: change.before.start + otherShift,
      otherLength: lengthOf(change.before),
    });
  };
  const takeOther = (change: LineChange) => {
    append(hunks, {
      kind: "other",
      baseStart: change.before.start,
      baseLength: lengthOf(change.before),
      oneStart: change.before.start + oneShift,
      oneLength: lengthOf(change.before),
      otherStart: change.after.start,
      otherLength: lengthOf(change.after),
    });
  };
  for (;;) {
    const [mine, theirs] = [ones[oneAt], others[otherAt]];
    if (mine !== undefined) oneShift = mine.after.start - mine.before.start;
    else oneShift = files.one.numbers.length - files.base.numbers.length;
    if (theirs !== undefined) otherShift = theirs.after.start - theirs.before.start;
    else otherShift = files.other.numbers.length - files.base.numbers.length;
    if (mine === undefined && theirs === undefined) return hunks;
    if (theirs === undefined || (mine !== undefined && mine.before.end < theirs.before.start)) {
      takeOne(mine as LineChange);
      oneAt += 1;
      continue;
    }
    if (mine === undefined || theirs.before.end < mine.before.start) {
      takeOther(theirs);
      otherAt += 1;
      continue;
    }
    if (!isSameChange(files, mine, theirs)) append(hunks, conflictOf(mine, theirs));
    if (mine.before.end >= theirs.before.end) otherAt += 1;
    if (theirs.before.end >= mine.before.end) oneAt += 1;
  }
}

function isSameChange({ one, other }: ThreeFiles, mine: LineChange, theirs: LineChange): boolean {
  if (mine.before.start !== theirs.before.start || mine.before.end !== theirs.before.end) return false;
  const length = lengthOf(mine.after);
  if (length !== lengthOf(theirs.after)) return false;
  for (let at = 0; at < length; at += 1) {
    if (one.numbers[mine.after.start + at] !== other.numbers[theirs.after.start + at]) return false;
  }
  return true;
}

/** The part of the base that two changes reach over together, in both sides. */
function conflictOf(mine: LineChange, theirs: LineChange): Hunk {
  const baseStart = Math.min(mine.before.start, theirs.before.start);
  const baseEnd = Math.max(mine.before.end, theirs.before.end);
  const oneStart = mine.after.start - (mine.before.start - baseStart);
  const otherStart = theirs.after.start - (theirs.before.start - baseStart);
  return {
    kind: "both",
    baseStart,
    baseLength: baseEnd - baseStart,
    oneStart,
    oneLength: mine.after.end + (baseEnd - mine.before.end) - oneStart,
    otherStart,
    otherLength: theirs.after.end + (baseEnd - theirs.before.end) - otherStart,
  };
}

/** Adds a hunk, or joins it with the last one where they touch: different kinds are a conflict then. */
function append(hunks: Hunk[], hunk: Hunk): void {
  const last = hunks.at(-1);
  const touches =
    last !== undefined &&
    (hunk.oneStart <= last.oneStart + last.oneLength || hunk.otherStart <= last.otherStart + last.otherLength);
  if (!touches) {
    hunks.push(hunk);
    return;
  }
  if (hunk.kind !== last.kind) last.kind = "both";
  last.baseLength = hunk.baseStart + hunk.baseLength - last.baseStart;
  last.oneLength = hunk.oneStart + hunk.oneLength - last.oneStart;
  last.otherLength = hunk.otherStart + hunk.otherLength - last.otherStart;
}

/** Leaves out of conflicts what both sides have in common. */
function* refined({ one, other }: ThreeFiles, hunks: readonly Hunk[]): Steps<Hunk[]> {
  const found: Hunk[] = [];
  for (const hunk of hunks) {
    const { kind, oneStart, oneLength, otherStart, otherLength } = hunk;
    if (kind !== "both" || oneLength === 0 || otherLength === 0) {
      found.push(hunk);
      continue;
    }
    const mine = one.numbers.slice(oneStart, oneStart + oneLength);
    const theirs = other.numbers.slice(otherStart, otherStart + otherLength);
    const changes = yield* histogramChanges(mine, theirs);
    if (changes.length === 0) found.push({ ...hunk, kind: "same" });
    for (const { before, after } of changes) {
      found.push({
        ...hunk,
        oneStart: oneStart + before.start,
        oneLength: lengthOf(before),
        otherStart: otherStart + after.start,
        otherLength: lengthOf(after),
      });
    }
  }
  return found;
}

/** Conflicts with as few lines between them are one. */
const linesBetweenMax = 3;

function joinNear(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const isNear =
      last?.kind === "both" &&
      hunk.kind === "both" &&
      hunk.oneStart - (last.oneStart + last.oneLength) <= linesBetweenMax;
    if (!isNear) joined.push({ ...hunk });
    else {
      last.oneLength = hunk.oneStart + hunk.oneLength - last.oneStart;
      last.otherLength = hunk.otherStart + hunk.otherLength - last.otherStart;
    }
  }
  return joined;
}

function render(files: ThreeFiles, hunks: readonly Hunk[], markers: ConflictMarkers): Uint8Array {
  const { one, other } = files;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const hunk of hunks) {
    if (hunk.kind === "same") continue;
    const { oneStart, oneLength, otherStart, otherLength } = hunk;
    parts.push(linesIn(one, at, oneStart));
    at = oneStart + oneLength;
    if (hunk.kind === "one") parts.push(linesIn(one, oneStart, at));
    else if (hunk.kind === "other") parts.push(linesIn(other, otherStart, otherStart + otherLength));
    else {
      const end = endsWithReturn(files, hunk) ? "\r\n" : "\n";
      const marker = (sign: string, name: string) =>
        Buffer.from(`${sign.repeat(markers.size)}${name === "" ? "" : ` ${name}`}${end}`);
      parts.push(marker("<", markers.one), ...ended(linesIn(one, oneStart, at), end));
      parts.push(marker("=", ""), ...ended(linesIn(other, otherStart, otherStart + otherLength), end));
      parts.push(marker(">", markers.other));
    }
  }
  parts.push(linesIn(one, at, one.numbers.length));
  return Buffer.concat(parts);
}

function linesIn({ bytes, starts }: FileLines, start: number, end: number): Uint8Array {
  return bytes.subarray(starts[start] as number, starts[end] as number);
}

function ended(lines: Uint8Array, end: string): Uint8Array[] {
  return lines.length === 0 || lines.at(-1) === lineFeed ? [lines] : [lines, Buffer.from(end)];
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Whether markers take the line ends of other systems: the lines before a conflict have them. */
function endsWithReturn({ base, one, other }: ThreeFiles, { oneStart, otherStart }: Hunk): boolean {
  const before = (start: number) => Math.max(start - 1, 0);
  if (hasReturn(one, before(oneStart)) === false || hasReturn(other, before(otherStart)) === false) return false;
  return hasReturn(base, 0) === true;
}

/** Whether a line ends with a carriage return and a line feed; undefined where nothing says it. */
function hasReturn({ bytes, starts, numbers }: FileLines, line: number): boolean | undefined {
  if (numbers.length === 0) return undefined;
  const end = starts[line + 1] as number;
  if (bytes[end - 1] === lineFeed) return end - 2 >= (starts[line] as number) && bytes[end - 2] === carriageReturn;
  return line === 0 ? undefined : hasReturn({ bytes, starts, numbers }, line - 1);
}
