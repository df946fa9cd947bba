import type { Caller } from "../../../../domain/caller.ts";
import { Failure, notFound } from "../../../../domain/failure.ts";
import { requestPace } from "../../../../domain/work-budget.ts";
import {
  type Commit,
  type DiffLimits,
  type FileDiff,
  mergeBases,
  type Repository,
  type TreeDiff,
} from "../../../../git/index.ts";
import { settingsOf } from "../../../core/application-settings/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { readerOf, readRepository } from "../service-repository-access.ts";

/** Bytes of the texts of a diff, for each file that it may have. */
const bytesPerFile = 5_120;
/** Parts of the limits above which the text of a file in a comparison is left out. */
const collapsedPart = 10;
/** Commits of a comparison: the newest ones. */
const commitsMax = 5_000;

/** commits 2: the limits of a diff. */
function limitsOf(context: Context): Omit<DiffLimits, "collapsedAbove"> {
  const { diff_max_files: filesMax, diff_max_lines: linesMax, diff_max_patch_bytes } = settingsOf(context);
  return { filesMax, linesMax, bytesMax: filesMax * bytesPerFile, fileBytesMax: diff_max_patch_bytes };
}

function limitsOfComparison(context: Context): DiffLimits {
  const limits = limitsOf(context);
  const part = (limit: number) => Math.floor(limit / collapsedPart);
  const { filesMax, linesMax, bytesMax, fileBytesMax } = limits;
  const collapsedAbove = {
    filesMax: part(filesMax),
    linesMax: part(linesMax),
    bytesMax: part(bytesMax),
    fileBytesMax: part(fileBytesMax),
  };
  return { ...limits, collapsedAbove };
}

/** The user who waits for a diff, and the end of the wait. */
interface Asker {
  readonly reader: ReturnType<typeof readerOf>;
  readonly gone: AbortSignal;
}

/** How much of a diff between two commits is shown: as much as of a commit, as of a comparison, or all that is worked out. */
export type DiffExtent = "usual" | "collapsed" | "all";

/** The limits of every diff, whatever the settings say. */
const limitsOfAll: DiffLimits = { filesMax: 20_000, linesMax: 1_000_000, bytesMax: 64 << 20, fileBytesMax: 64 << 20 };

/** The changes between the trees of two commits. Throws `OverBudget`; 404 for a commit that is gone. */
export async function diffBetween(
  context: Context,
  repository: Repository,
  { before, after }: { readonly before: string; readonly after: string },
  extent: DiffExtent,
  asker: Asker,
): Promise<TreeDiff> {
  const [old, now] = [await repository.commitOf(before), await repository.commitOf(after)];
  if (old === undefined || now === undefined) throw notFound("Commit");
  const usual = extent === "usual" ? limitsOf(context) : limitsOfComparison(context);
  const limits = extent === "all" ? limitsOfAll : usual;
  return context.repositories.computing.diff(repository, { before: old.tree, after: now.tree, limits }, asker);
}

/** Lists the files that a commit changes in its first parent. Throws 403; 404 `Commit Not Found`; `OverBudget`. */
export function listCommitDiffs(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  revision: string,
  gone: AbortSignal,
): Promise<readonly FileDiff[]> {
  return readRepository(context, caller, project, async (repository) => {
    const commit = await repository.resolve(revision);
    if (commit === undefined) throw notFound("Commit");
    const [parent] = commit.parent;
    const before = parent === undefined ? undefined : (await repository.commitOf(parent))?.tree;
    const trees = { before, after: commit.tree, limits: limitsOf(context) };
    const { files } = await context.repositories.computing.diff(repository, trees, { reader: readerOf(caller), gone });
    return files;
  });
}

/** A line of a file before (`old`) or after a change. */
export interface DiffLine {
  readonly path: string;
  readonly line: number;
  readonly line_type: "new" | "old";
}

/** Whether a commit's diff removes or adds a line. Throws as `listCommitDiffs`. */
export async function hasDiffLine(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { sha, line: { path, line, line_type } }: { readonly sha: string; readonly line: DiffLine },
  gone: AbortSignal,
): Promise<boolean> {
  const files = await listCommitDiffs(context, caller, project, sha, gone);
  const text = files.find(({ newPath }) => newPath === path)?.text ?? "";
  let [old, now] = [0, 0];
  for (const each of text.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(each);
    if (header !== null) [old, now] = [Number(header[1]), Number(header[2])];
    else if (each.startsWith("+")) {
      if (line_type === "new" && now === line) return true;
      now += 1;
    } else if (each.startsWith("-")) {
      if (line_type === "old" && old === line) return true;
      old += 1;
    } else if (!each.startsWith("\\")) [old, now] = [old + 1, now + 1];
  }
  return false;
}

/** The ends of a comparison, as revisions. */
export interface ComparedRevisions {
  readonly from: string;
  readonly to: string;
  /** Compares with `from` itself, not with what both have in common. */
  readonly isStraight: boolean;
}

export interface Comparison {
  /** Ids of the commits that were named, and that the diff begins with. */
  readonly from: { readonly start: string; readonly base: string };
  readonly to: string;
  /** Oldest first. */
  readonly commits: readonly Commit[];
  readonly diff: TreeDiff;
}

/** `GET /projects/:id/repository/compare`. Throws 403; 404 `Ref Not Found`; `OverBudget`. */
export function getComparison(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  revisions: ComparedRevisions,
  gone: AbortSignal,
): Promise<Comparison> {
  return readRepository(context, caller, project, async (repository) => {
    const from = await repository.resolve(revisions.from);
    const to = await repository.resolve(revisions.to);
    if (from === undefined || to === undefined) throw notFound("Ref");
    const [base] = revisions.isStraight ? [from] : await mergeBases(repository, [from], [to]);
    const trees = { before: base?.tree, after: to.tree, limits: limitsOfComparison(context) };
    return {
      from: { start: from.oid, base: (base ?? from).oid },
      to: to.oid,
      commits: await commitsBetween(repository, from, to),
      diff: await context.repositories.computing.diff(repository, trees, { reader: readerOf(caller), gone }),
    };
  });
}

/** The newest commits that `to` leads to and `from` does not, oldest first. */
async function commitsBetween(repository: Repository, from: Commit, to: Commit): Promise<Commit[]> {
  const options = { pace: requestPace() };
  const within = await repository.range({ left: from, right: to, isSymmetric: false });
  const commits: Commit[] = [];
  for await (const commit of repository.history([to], { ...options, within })) {
    if (commits.push(commit) === commitsMax) break;
  }
  return commits.reverse();
}

/** Throws 400 for another project: none is a fork here. */
export function requireSameProject(project: ProjectRecord, other: number | undefined, named: string | number): void {
  if (other === undefined || other === project.id) return;
  const message = `Target project id:${other} is not a fork of project id:${named}`;
  throw new Failure("invalid", { message });
}
