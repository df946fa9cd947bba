import type { Caller, SignedInCaller } from "../../../../domain/caller.ts";
import { invalid, notFound } from "../../../../domain/failure.ts";
import { mapPage, type PageRequest, pageOfAll } from "../../../../domain/page.ts";
import {
  branchPrefix,
  type Commit,
  isRefName,
  type RefEntry,
  type RefList,
  type Repository,
  reachable,
} from "../../../../git/index.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import { canSeeFeature } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type BranchChange, branchRefusal, Wildcard } from "../../protected-branches/index.ts";
import type { BranchRule } from "../../protected-branches/records.ts";
import { commitReadme, defaultBranchOrFirst, initialBranch } from "../service-initial-commit.ts";
import { createRef, deleteRef } from "../service-pushes.ts";
import { defaultBranchOf, readRepository, writeRepository } from "../service-repository-access.ts";
import { namePattern, nameSearch, requireRefName, requireUnmodifiedCommit } from "./names.ts";

/** A branch with what it is at. */
export interface FoundBranch {
  readonly name: string;
  readonly commit: Commit;
  /** Everything in it is in the default branch, which has gone on since. */
  readonly isMerged: boolean;
}

export interface BranchFilter {
  readonly search?: string | undefined;
  readonly regex?: string | undefined;
  readonly sort?: "name_asc" | "updated_asc" | "updated_desc" | undefined;
}

/** Throws 404 where the project has no repository for the caller: operations on branches say so before all else. */
export function requireRepository(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!canSeeFeature(context, user, project, "repository")) throw notFound("Repository");
}

/** `GET /projects/:id/repository/branches`, by name unless said. Throws 400, 403 and 404. */
export function listBranches(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { search, regex, sort = "name_asc" }: BranchFilter,
  request: PageRequest,
) {
  requireRepository(context, caller, project);
  const isFound = nameSearch(search);
  const isMatched = namePattern(regex);
  return readRepository(context, caller, project, async (repository) => {
    const branches = await repository.branches();
    const isFiltered = Boolean(search) || Boolean(regex);
    const wanted = isFiltered ? await branches.filter((name) => isFound(name) && isMatched(name)) : branches;
    const page = pageOfAll(sort === "name_asc" ? wanted : await byTime(repository, wanted, sort), request);
    const found = await describe(repository, project, page.items);
    const byName = new Map(found.map((branch) => [branch.name, branch]));
    return mapPage(page, ([name]) => byName.get(name) as FoundBranch);
  });
}

/** Branches by the times of their commits. */
async function byTime(
  repository: Repository,
  branches: Iterable<RefEntry>,
  sort: "updated_asc" | "updated_desc",
): Promise<RefEntry[]> {
  const timed: { readonly branch: RefEntry; readonly time: number }[] = [];
  for (const branch of branches) {
    timed.push({ branch, time: (await repository.commitOf(branch[1]))?.committer.timestamp ?? 0 });
  }
  const direction = sort === "updated_asc" ? 1 : -1;
  return timed.sort((one, other) => direction * (one.time - other.time)).map(({ branch }) => branch);
}

function requireBranchName(name: string): void {
  if (!isRefName(name)) throw invalid("The branch refname is invalid");
}

/** Throws 400 for what is no name, 403; 404 `Branch Not Found`. */
export function getBranch(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  name: string,
): Promise<FoundBranch> {
  requireRepository(context, caller, project);
  return readRepository(context, caller, project, async (repository) => {
    requireBranchName(name);
    const oid = await repository.branch(name);
    const [branch] = oid === undefined ? [] : await describe(repository, project, [[name, oid]]);
    if (branch === undefined) throw notFound("Branch");
    return branch;
  });
}

/**
 * `POST .../branches`. An empty repository gets its first commit, a README, on the default branch first. Throws 400 for a name
 * that is taken or bad, and for a revision that is unknown.
 */
export async function createBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { name, ref }: { readonly name: string; readonly ref: string },
  baseUrl: string,
): Promise<FoundBranch> {
  requireRepository(context, caller, project);
  const isEmpty = await readRepository(context, caller, project, async (each) => (await each.branches()).size === 0);
  if (isEmpty) {
    const first = project.default_branch ?? initialBranch(context, project.namespace_id);
    await requireChange(context, caller, project, { branch: first, isEmpty, act: { kind: "push" } }, baseUrl);
    await commitReadme(context, caller, project, first, baseUrl);
  }
  return writeRepository(context, caller, project, async (writer, now) => {
    const branches = await writer.branches();
    if (branches.has(name)) throw invalid("Branch already exists");
    requireRefName(name, branches, "Branch");
    const commit = await writer.resolve(ref);
    if (commit === undefined) throw invalid(`Failed to create branch '${name}': invalid reference name '${ref}'`);
    const isHeld = (rules: readonly BranchRule[]) => isHeldByProtected(writer, branches, rules, commit);
    await requireChange(
      context,
      caller,
      now,
      { branch: name, isEmpty: false, act: { kind: "create", isHeld } },
      baseUrl,
    );
    await createRef(context, caller, writer, now, { ref: `${branchPrefix}${name}`, commit: commit.oid }, baseUrl);
    const [branch] = await describe(writer, now, [[name, commit.oid]]);
    return branch as FoundBranch;
  });
}

/** `DELETE .../branches/:branch`. Throws 400 for what is no name, for the default branch and for protected ones below maintainer; 404 and 412. */
export function deleteBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { name, unmodifiedSince }: { readonly name: string; readonly unmodifiedSince: DateTime | undefined },
  baseUrl: string,
): Promise<void> {
  requireRepository(context, caller, project);
  return writeRepository(context, caller, project, async (writer, now) => {
    requireBranchName(name);
    const oid = await writer.branch(name);
    if (oid === undefined) throw notFound("Branch");
    requireUnmodifiedCommit(await writer.commitOf(oid), unmodifiedSince);
    const default_branch = (await defaultBranchOf(writer, now)) ?? null;
    const change = { branch: name, isEmpty: false, act: { kind: "delete" } } as const;
    await requireChange(context, caller, { ...now, default_branch }, change, baseUrl);
    await deleteRef(context, caller, writer, now, { ref: `${branchPrefix}${name}`, before: oid }, baseUrl);
  });
}

/**
 * Makes another branch the default one, where that changes something, and runs `change` with it. Throws 400 for one that is
 * not there.
 */
export function withDefaultBranch<R>(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  name: string | null | undefined,
  change: () => Promise<R>,
): Promise<R> {
  if (!name || name === defaultBranchOrFirst(context, project)) return change();
  return writeRepository(context, caller, project, async (writer) => {
    if ((await writer.branch(name)) === undefined) {
      const text = `Could not set the default branch. Do you have a branch named '${name}' in your repository?`;
      throw invalid({ base: [text] });
    }
    const changed = await change();
    await writer.setHead(name);
    return changed;
  });
}

/** Throws 400 with the sentence that refuses the change. */
async function requireChange(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  change: Omit<BranchChange, "by">,
  baseUrl: string,
): Promise<void> {
  const refusal = await branchRefusal(context, caller, project, { ...change, by: "api" }, baseUrl);
  if (refusal !== undefined) throw invalid(refusal);
}

async function isHeldByProtected(
  repository: Repository,
  branches: RefList,
  rules: readonly BranchRule[],
  commit: Commit,
): Promise<boolean> {
  const wildcards = rules.map(({ name }) => new Wildcard(name));
  for (const [, oid] of await branches.filter((name) => wildcards.some((each) => each.matches(name)))) {
    if (oid === commit.oid) return true;
    const head = await repository.commitOf(oid);
    if (head !== undefined && (await reachable(repository, head, [commit])).has(commit.oid)) return true;
  }
  return false;
}

async function describe(
  repository: Repository,
  project: ProjectRecord,
  branches: readonly RefEntry[],
): Promise<FoundBranch[]> {
  const found: { name: string; commit: Commit }[] = [];
  for (const [name, oid] of branches) {
    const commit = await repository.commitOf(oid);
    if (commit !== undefined) found.push({ name, commit });
  }
  const main = await defaultBranchOf(repository, project);
  const mainOid = main === undefined ? undefined : await repository.branch(main);
  const head = mainOid === undefined ? undefined : await repository.commitOf(mainOid);
  const others = found.filter(({ commit }) => commit.oid !== head?.oid).map(({ commit }) => commit);
  const merged: ReadonlySet<string> = head === undefined ? new Set() : await reachable(repository, head, others);
  return found.map((branch) => ({ ...branch, isMerged: merged.has(branch.commit.oid) }));
}
