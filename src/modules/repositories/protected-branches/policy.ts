import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type BranchRights, branchRightsIn, rowTest } from "./branch-rights.ts";
import type { AccessRow, BranchRule } from "./records.ts";
import { branchRulesOf } from "./records.ts";
import { emptyRepositoryRules } from "./service-default-protection.ts";
import { Wildcard } from "./wildcard.ts";

/**
 * The rules that are in force. The default protection makes one for all branches of a repository without branches, so that
 * nobody gets around it by making the default branch.
 */
export function branchRulesInForce(
  context: Context,
  project: ProjectRecord,
  { isEmpty }: { readonly isEmpty: boolean },
): readonly BranchRule[] {
  const stored = branchRulesOf(context.store, project);
  return isEmpty ? [...stored, ...emptyRepositoryRules(context, project)] : stored;
}

/** A test for the names of branches that a rule protects now. The branches need not exist. Throws `OverBudget`. */
export function protectedBranchTest({ store }: Context, project: ProjectRecord): (branch: string) => boolean {
  const wildcards = branchRulesOf(store, project).map(({ name }) => new Wildcard(name));
  return (branch) => wildcards.some((each) => each.matches(branch));
}

/** True when a rule protects the branch now. The branch need not exist. */
export function isProtectedBranch(context: Context, project: ProjectRecord, branch: string): boolean {
  return protectedBranchTest(context, project)(branch);
}

/** True when the rules let the user push to the branch or merge into it. */
export function canPushOrMerge(context: Context, user: CallerUser, project: ProjectRecord, branch: string): boolean {
  const { canPush, canMerge } = branchRightsIn(context, user, project, branchRulesOf(context.store, project))(branch);
  return canPush || canMerge;
}

/** True when a row lets the user change and remove the rule. Without rows, every maintainer may. */
export function canUnprotect(
  context: Context,
  user: CallerUser,
  project: ProjectRecord,
  rows: readonly AccessRow[],
): boolean {
  if (rows.length === 0 || !includesTier(context.edition, "premium")) return true;
  return rows.some(rowTest(context, user, project));
}

/** A change of a branch that somebody asks for, by the API or by git. */
export interface BranchChange {
  readonly branch: string;
  readonly isEmpty: boolean;
  readonly by: "api" | "git";
  readonly act:
    | { readonly kind: "push"; readonly isForced?: boolean }
    /** `isHeld`: a protected branch holds the commit already. */
    | { readonly kind: "create"; isHeld(rules: readonly BranchRule[]): Promise<boolean> }
    | { readonly kind: "delete" };
}

/** The sentence that refuses a name that would be taken for the id of a commit. */
export function branchNameRefusal(branch: string): string | undefined {
  if (!/^[0-9a-f]{40}(?:-?\/|$)/i.test(branch)) return undefined;
  return "You cannot create a branch with a 40-character hexadecimal branch name.";
}

/** The sentence that refuses a change of a branch to the caller; undefined when it is allowed (protected-refs 4). */
export async function branchRefusal(
  context: Context,
  { user }: Caller,
  project: ProjectRecord,
  { branch, isEmpty, by, act }: BranchChange,
  baseUrl: string,
): Promise<string | undefined> {
  if (act.kind === "delete" && branch === project.default_branch) {
    return "The default branch of a project cannot be deleted.";
  }
  const refusal = act.kind === "delete" ? undefined : branchNameRefusal(branch);
  if (refusal !== undefined) return refusal;
  const rules = branchRulesInForce(context, project, { isEmpty });
  const rights = branchRightsIn(context, user, project, rules)(branch);
  if (!rights.isProtected) return undefined;
  if (act.kind === "delete") return deletionRefusal(rights, by);
  if (isEmpty) return rights.canPush ? undefined : emptyRepositoryText(context, project, baseUrl);
  if (act.kind === "create") {
    if (rights.canPush) return undefined;
    if (!rights.canMerge) return "You are not allowed to create protected branches on this project.";
    if (!(await act.isHeld(rules))) {
      return "You can only use an existing protected branch ref as the basis of a new protected branch.";
    }
    return by === "api" ? undefined : "You can only create protected branches using the web interface and API.";
  }
  if (act.isForced === true && !rights.canForcePush) {
    return "You are not allowed to force push code to a protected branch on this project.";
  }
  return rights.canPush ? undefined : "You are not allowed to push code to protected branches on this project.";
}

function deletionRefusal({ canDelete }: BranchRights, by: BranchChange["by"]): string | undefined {
  if (!canDelete) {
    return "You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.";
  }
  return by === "api" ? undefined : "You can only delete protected branches using the web interface.";
}

function emptyRepositoryText({ store }: Context, project: ProjectRecord, baseUrl: string): string {
  const path = projectPathOf(store, project);
  return [
    `A default branch (e.g. main) does not yet exist for ${path}`,
    "Ask a project Owner or Maintainer to create a default branch:",
    "",
    `  ${baseUrl}/${path}/-/project_members`,
  ].join("\n");
}
