import type { SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, invalid } from "../../../../domain/failure.ts";
import { withoutLimit } from "../../../../domain/work-budget.ts";
import type { Commit, RepositoryWriter } from "../../../../git/index.ts";
import { commitEmail, getUser } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { branchRefusal, branchRightsIn, branchRulesInForce } from "../../protected-branches/index.ts";
import type { FoundCommit } from "../service-commits.ts";
import { pushCommit } from "../service-pushes.ts";
import { writeRepository } from "../service-repository-access.ts";
import { applyActions, type FileAction, findStaleFile } from "./actions.ts";
import { type BranchStart, findStart } from "./start.ts";

/** The author of a change; the caller where a part is blank or left out. */
export interface GivenAuthor {
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** A commit that somebody asks for. */
export interface CommitRequest extends BranchStart {
  readonly message: string;
  readonly author: GivenAuthor;
  readonly actions: readonly FileAction[];
}

/** A branch, which need not be there, and whether the repository has no branch at all. */
export interface PushedBranch {
  readonly branch: string;
  readonly isEmpty: boolean;
}

/** Throws 403 for those who may not push to the branch. */
export function requireBranchPusher(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  pushed: PushedBranch,
): void {
  if (!canPush(context, caller, project, pushed)) throw forbidden("You are not allowed to push into this branch");
}

/** Whether the rules of branches let the caller push to one. */
export function canPush(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { branch, isEmpty }: PushedBranch,
): boolean {
  return branchRightsIn(context, user, project, branchRulesInForce(context, project, { isEmpty }))(branch).canPush;
}

/** `POST .../commits`. `read` throws 400 for a request that is none; it is called once the caller may push. Throws 400 with the page's texts, 403. */
export function createCommit(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { branch, read, hasStats }: { readonly branch: string; read(): CommitRequest; readonly hasStats: boolean },
  baseUrl: string,
): Promise<FoundCommit> {
  return writeRepository(context, caller, project, async (writer, now) => {
    const isEmpty = (await writer.branches()).size === 0;
    requireBranchPusher(context, caller, now, { branch, isEmpty });
    const request = read();
    const staleText = (_: FileAction, path: string) => `The file has changed since you started editing it: ${path}`;
    const oid = await commitChanges(context, caller, writer, now, request, { baseUrl, staleText });
    return withoutLimit(async () => {
      const commit = (await writer.commitOf(oid)) as Commit;
      return hasStats ? { commit, stats: await writer.changesOf(commit) } : { commit };
    });
  });
}

/** Commits changes for a caller who may push to the branch. Returns the id of the commit. Throws 400. */
export async function commitChanges(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  request: CommitRequest,
  { baseUrl, staleText }: { baseUrl: string; staleText(action: FileAction, path: string): string },
): Promise<string> {
  const { branch, message, actions } = request;
  const { before, base, isFirst, loses } = await findStart(writer, request);
  if (loses) await refuseForcePush(context, caller, project, branch, baseUrl);
  const stale = await findStaleFile(writer, base, actions);
  if (stale !== undefined) throw invalid(staleText(stale.action, stale.path));
  const tree = await applyActions(writer, base, actions);
  const { author, committer } = signaturesOf(context, caller, request, baseUrl);
  const parents = base === undefined ? [] : [base.oid];
  const oid = await writer.writeCommit({ message, tree, parents, author, committer });
  await pushCommit(context, caller, writer, project, { branch, before: before?.oid, oid, tree, isFirst }, baseUrl);
  return oid;
}

/** Throws 400 where a rule forbids it. */
async function refuseForcePush(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  branch: string,
  baseUrl: string,
): Promise<void> {
  const change = { branch, isEmpty: false, by: "api", act: { kind: "push", isForced: true } } as const;
  const refusal = await branchRefusal(context, caller, project, change, baseUrl);
  if (refusal !== undefined) throw invalid(refusal);
}

/** The signature of a change: the caller's at the current time, unless an author is named. */
export function signaturesOf(
  { store, clock }: Context,
  { user }: SignedInCaller,
  { author }: { readonly author: GivenAuthor },
  baseUrl: string,
) {
  const timestamp = Math.floor(clock.now() / 1000);
  const committer = { name: user.name, email: commitEmail(getUser(store, user.id), baseUrl), timestamp };
  return {
    committer,
    author: { name: author.name || committer.name, email: author.email || committer.email, timestamp },
  };
}
