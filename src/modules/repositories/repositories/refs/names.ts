/** The rules about names of branches and tags. */

import { Failure, invalid, requireUnmodified } from "../../../../domain/failure.ts";
import { spend } from "../../../../domain/work-budget.ts";
import { type Commit, isRefName, type RefList } from "../../../../git/index.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import {
  compilationSteps,
  compilePattern,
  type LinearPattern,
  patternLengthMax,
} from "../../../../lib/text/linear-pattern.ts";
import { branchNameRefusal } from "../../protected-branches/index.ts";

/** A name that begins so would read like the full name of another branch or tag. */
const fullName = /^refs\/(heads|tags|remotes)\//;

/**
 * Throws 400 for the name of a new branch or tag that git does not take, that reads like a full name, the id of a commit, or in
 * whose way others are: `a` and `a/b` cannot both be.
 */
export function requireRefName(name: string, others: RefList, noun: "Branch" | "Tag"): void {
  const isAllowed = isRefName(name) && !fullName.test(name);
  if (!isAllowed) throw invalid(noun === "Branch" ? "Branch name is invalid" : "Tag name invalid");
  const refusal = noun === "Branch" ? branchNameRefusal(name) : undefined;
  if (refusal !== undefined) throw invalid(refusal);
  const other = others.inTheWayOf(name);
  if (other !== undefined) {
    throw invalid(`${noun} name conflicts with the existing ${noun.toLowerCase()} ${other}`);
  }
}

/** Throws 412 when the commit of a branch or tag was written after the caller last saw it. */
export function requireUnmodifiedCommit(commit: Commit | undefined, unmodifiedSince: DateTime | undefined): void {
  if (commit === undefined) return;
  requireUnmodified({ updated_at: toDateTime(commit.author.timestamp * 1000) }, unmodifiedSince);
}

/** The largest program of a pattern for names. */
const programSizeMax = 100;
const compilationStepsMax = 10_000;
/** Steps of the work budget that one instruction takes for one character. */
const stepsEach = 4;

/** A test for the names in which a pattern matches; its work is charged. Throws 400 for what is no pattern, or too large. */
export function namePattern(source: string | undefined): (name: string) => boolean {
  if (!source) return () => true;
  const pattern = patternOf(source);
  if (pattern === undefined) throw new Failure("parameters", { error: "regex is an invalid regexp" });
  const size = pattern.programSize();
  return (name) => {
    spend(name.length * size * stepsEach);
    return pattern.matcher(name).find();
  };
}

function patternOf(source: string): LinearPattern | undefined {
  if (source.length > patternLengthMax || compilationSteps(source) > compilationStepsMax) return undefined;
  try {
    const pattern = compilePattern(source);
    return pattern.programSize() > programSizeMax ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/**
 * A test for the names that a search is after: `^` stands for the beginning, `$` for the end, letter case does not matter.
 */
export function nameSearch(search: string | undefined): (name: string) => boolean {
  if (!search) return () => true;
  const isStart = search.startsWith("^");
  const isEnd = search.endsWith("$");
  const wanted = search.slice(isStart ? 1 : 0, isEnd ? -1 : undefined).toLowerCase();
  return (name) => {
    const plain = name.toLowerCase();
    if (isStart && isEnd) return plain === wanted;
    if (isStart) return plain.startsWith(wanted);
    return isEnd ? plain.endsWith(wanted) : plain.includes(wanted);
  };
}
