/** The changes between two trees, file by file, with the text of each. */

import { requestPace, spend } from "../../domain/work-budget.ts";
import type { Pace, Steps } from "../../lib/yield.ts";
import { noOid } from "../git.ts";
import { type ChangedFile, changedFiles, kindOf } from "./changed-files.ts";
import { Content, type ReadObjects } from "./content.ts";
import { comparisonsPerStep } from "./edit-search.ts";
import { type Hunks, hunksBetween } from "./hunks.ts";
import { isBinary } from "./lines.ts";
import { withRenames } from "./renames.ts";

/** How much of a diff is shown. */
export interface DiffLimits {
  /** Files; the rest is left out. */
  readonly filesMax: number;
  /** Lines and bytes of all texts; the rest is left out. */
  readonly linesMax: number;
  readonly bytesMax: number;
  /** Bytes of the text of one file, which is too large then. */
  readonly fileBytesMax: number;
  /** The text of a file is left out above these, which are of the same kinds. */
  readonly collapsedAbove?: Omit<DiffLimits, "collapsedAbove">;
}

/** The change of one file. */
export interface FileDiff {
  readonly oldPath: string;
  readonly newPath: string;
  /** Six digits; `0` where there is no file. */
  readonly oldMode: string;
  readonly newMode: string;
  /** The ids of its versions; 40 zeros where there is no file. */
  readonly oldOid: string;
  readonly newOid: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  /** Hunks, or a sentence about a binary file; empty where only path or mode change, and where it is left out. */
  readonly text: string;
  readonly isBinary: boolean;
  readonly isTooLarge: boolean;
  readonly isCollapsed: boolean;
}

export interface TreeDiff {
  readonly files: readonly FileDiff[];
  /** Whether files were left out. */
  readonly isCut: boolean;
}

/** Changed files that are looked at, and bytes of files that are compared. */
const filesMax = 20_000;
const bytesMax = 64 << 20;

/** Compares two trees; undefined is the empty one. Throws `OverBudget`. */
export async function diffTrees(
  repository: ReadObjects,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
  limits: DiffLimits,
): Promise<TreeDiff> {
  const pace = requestPace();
  const content = new Content(repository, bytesMax);
  const changed: ChangedFile[] = [];
  let isCut = false;
  for await (const file of changedFiles(repository, before, after)) {
    isCut = changed.length === filesMax;
    if (isCut) break;
    changed.push(file);
  }
  const found = await withRenames(changed, (version) => content.read(version), pace);
  const files: FileDiff[] = [];
  const total = { lines: 0, bytes: 0 };
  for (const file of found.flatMap(withoutTypeChange)) {
    if (files.length === limits.filesMax) return { files, isCut: true };
    const shown = await textOf(file, content, limits.fileBytesMax, pace);
    const isCollapsed = isCollapsible(shown, limits.collapsedAbove, files.length + 1, total);
    const text = isCollapsed || shown.hunks === "too large" ? undefined : shown.hunks;
    total.lines += text?.lineCount ?? 0;
    total.bytes += text?.bytes.length ?? 0;
    if (total.lines >= limits.linesMax || total.bytes >= limits.bytesMax) return { files, isCut: true };
    files.push({
      ...outlineOf(file),
      text: text === undefined ? "" : decoder.decode(text.bytes),
      isBinary: shown.isBinary,
      isTooLarge: shown.hunks === "too large",
      isCollapsed,
    });
  }
  return { files, isCut };
}

/** Bytes that are no UTF-8 are replaced. A byte-order mark is a part of a line. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A file that becomes a link, or a submodule, is removed and added. */
function withoutTypeChange(file: ChangedFile): ChangedFile[] {
  const { path, before, after } = file;
  if (before === undefined || after === undefined || kindOf(before) === kindOf(after)) return [file];
  return [
    { path, before, after: undefined },
    { path, before: undefined, after },
  ];
}

function outlineOf({ path, oldPath = path, before, after }: ChangedFile) {
  return {
    oldPath,
    newPath: path,
    oldMode: before?.mode ?? "0",
    newMode: after?.mode ?? "0",
    oldOid: before?.oid ?? noOid,
    newOid: after?.oid ?? noOid,
    isNew: before === undefined,
    isDeleted: after === undefined,
  };
}

interface Shown {
  readonly hunks: Hunks;
  readonly isBinary: boolean;
}

const nothing: Shown = { hunks: { bytes: Buffer.alloc(0), lineCount: 0 }, isBinary: false };

async function textOf(file: ChangedFile, content: Content, fileBytesMax: number, pace: Pace): Promise<Shown> {
  const { path, oldPath = path, before, after } = file;
  if (before?.oid === after?.oid) return nothing;
  const [old, now] = [await content.read(before), await content.read(after)];
  if (old === undefined || now === undefined) return { hunks: "too large", isBinary: false };
  if (!isBinary(old) && !isBinary(now)) {
    return { hunks: await takeCharged(hunksBetween(old, now, fileBytesMax), pace), isBinary: false };
  }
  const [one, other] = [
    before === undefined ? "/dev/null" : `a/${oldPath}`,
    after === undefined ? "/dev/null" : `b/${path}`,
  ];
  return { hunks: { bytes: Buffer.from(`Binary files ${one} and ${other} differ\n`), lineCount: 1 }, isBinary: true };
}

/** Takes all steps, each charged before others have their turn. Throws `OverBudget`. */
export async function takeCharged<R>(steps: Steps<R>, pace: Pace): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    spend(comparisonsPerStep);
    const turn = pace();
    if (turn !== true) await turn;
  }
}

/** Whether the text of a file is left out because of what is shown before it, or of its own length. */
function isCollapsible(
  { hunks }: Shown,
  above: DiffLimits["collapsedAbove"],
  count: number,
  total: { readonly lines: number; readonly bytes: number },
): boolean {
  if (above === undefined || hunks === "too large" || hunks.lineCount === 0) return false;
  if (hunks.bytes.length >= above.fileBytesMax || count > above.filesMax) return true;
  return total.lines + hunks.lineCount > above.linesMax || total.bytes + hunks.bytes.length >= above.bytesMax;
}
