import type { Caller, SignedInCaller } from "../../../../domain/caller.ts";
import { invalid, notFound } from "../../../../domain/failure.ts";
import { mapPage, type PageRequest, pageOfAll } from "../../../../domain/page.ts";
import { branchPrefix, type Commit, type Repository, reachable } from "../../../../git/index.ts";
import type { ProjectRecord } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { type BranchChange, type BranchRule, branchRefusal, matchesWildcard } from "../../protected-branches/index.ts";
import { commitReadme, initialBranch } from "../service-initial-commit.ts";
import { createRef, recordActivity } from "../service-pushes.ts";
import { defaultBranchOf, readRepository, writeRepository } from "../service-repository-access.ts";
import { nameSearch, requireRefName } from "./names.ts";

/** A branch with what it is at. */
export interface FoundBranch {
  readonly name: string;
  readonly commit: Commit;
  /** Everything in it is in the default branch, which has gone on since. */
  readonly isMerged: boolean;
}

/** `GET /projects/:id/repository/branches`, by name. Throws 403. */
export function listBranches(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  search: string | undefined,
  request: PageRequest,
) {
  return readRepository(context, caller, project, async (repository) => {
    const isWanted = nameSearch(search);
    const all = [...(await repository.branches())].filter(([name]) => isWanted(name));
    const page = pageOfAll(all, request);
    const found = await describe(repository, project, page.items);
    const byName = new Map(found.map((branch) => [branch.name, branch]));
    return mapPage(page, ([name]) => byName.get(name) as FoundBranch);
  });
}

/** Throws 403; 404 `Branch Not Found`. */
export function getBranch(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  name: string,
): Promise<FoundBranch> {
  return readRepository(context, caller, project, async (repository) => {
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
  const isEmpty = await readRepository(context, caller, project, async (each) => (await each.branches()).size === 0);
  if (isEmpty) {
    const first = project.default_branch ?? initialBranch(undefined);
    await requireChange(context, caller, project, { branch: first, isEmpty, act: { kind: "push" } }, baseUrl);
    await commitReadme(context, caller, project, first, baseUrl);
  }
  return writeRepository(context, caller, project, async (writer, now) => {
    const branches = await writer.branches();
    if (branches.has(name)) throw invalid("Branch already exists");
    requireRefName(name, branches.keys(), "Branch");
    const commit = await writer.resolve(ref);
    if (commit === undefined) throw invalid(`Invalid reference name: ${ref}`);
    const isHeld = (rules: readonly BranchRule[]) => isHeldByProtected(writer, branches, rules, commit);
    await requireChange(
      context,
      caller,
      now,
      { branch: name, isEmpty: false, act: { kind: "create", isHeld } },
      baseUrl,
    );
    await createRef(context, writer, now, `${branchPrefix}${name}`, commit.oid);
    const [branch] = await describe(writer, now, [[name, commit.oid]]);
    return branch as FoundBranch;
  });
}

/** `DELETE .../branches/:branch`. Throws 404, and 400 for the default branch and for protected ones below maintainer. */
export function deleteBranch(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  name: string,
  baseUrl: string,
): Promise<void> {
  return writeRepository(context, caller, project, async (writer, now) => {
    if ((await writer.branch(name)) === undefined) throw notFound("Branch");
    const default_branch = (await defaultBranchOf(writer, now)) ?? null;
    const change = { branch: name, isEmpty: false, act: { kind: "delete" } } as const;
    await requireChange(context, caller, { ...now, default_branch }, change, baseUrl);
    await writer.delete(`${branchPrefix}${name}`);
    recordActivity(context, now);
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
  if (!name || name === project.default_branch) return change();
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
  branches: Iterable<readonly [name: string, oid: string]>,
  rules: readonly BranchRule[],
  commit: Commit,
): Promise<boolean> {
  for (const [name, oid] of branches) {
    if (!rules.some((rule) => matchesWildcard(rule.name, name))) continue;
    if (oid === commit.oid) return true;
    const head = await repository.commitOf(oid);
    if (head !== undefined && (await reachable(repository, head, [commit])).has(commit.oid)) return true;
  }
  return false;
}

async function describe(
  repository: Repository,
  project: ProjectRecord,
  branches: readonly (readonly [name: string, oid: string])[],
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
