import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { AccessRow, BranchRule } from "./records.ts";
import { branchRulesOf } from "./records.ts";
import { emptyRepositoryRules } from "./service-default-protection.ts";
import { matchesWildcard } from "./wildcard.ts";

/** The level of rules that lets administrators alone in. */
const administrators = 60;

/** The rights of one user on one branch, as the project's rules say (protected-refs 4). */
export interface BranchRights {
  readonly isProtected: boolean;
  readonly canPush: boolean;
  readonly canMerge: boolean;
  readonly canDelete: boolean;
  readonly canForcePush: boolean;
  /** A matching rule lets all developers push, or merge. */
  readonly canDevelopersPush: boolean;
  readonly canDevelopersMerge: boolean;
}

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

/** The rights of a user. All rules whose names match count: what one of them allows is allowed. */
export function branchRightsOf(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
  rules: readonly BranchRule[],
  branch: string,
): BranchRights {
  const level = context.get(Access).levelInProject(user, project);
  const canChange = !project.archived && level >= accessLevels.developer;
  const matching = rules.filter(({ name }) => matchesWildcard(name, branch));
  const isProtected = matching.length > 0;
  const fits = (row: AccessRow) => canChange && canUseRow(context, user, project, row);
  const canPush = isProtected ? matching.some(({ push }) => push.some(fits)) : canChange;
  const isForDevelopers = ({ access_level }: AccessRow) => access_level === accessLevels.developer;
  return {
    isProtected,
    canPush,
    canMerge: isProtected ? matching.some(({ merge }) => merge.some(fits)) : canChange,
    canDelete: canChange && (!isProtected || level >= accessLevels.maintainer),
    canForcePush: canPush && (!isProtected || matching.some(({ allow_force_push }) => allow_force_push)),
    canDevelopersPush: matching.some(({ push }) => push.some(isForDevelopers)),
    canDevelopersMerge: matching.some(({ merge }) => merge.some(isForDevelopers)),
  };
}

/** Whether a user is among those whom a row lets in. */
export function canUseRow(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
  { access_level, user_id, group_id }: AccessRow,
): boolean {
  if (user === undefined) return false;
  // A lower edition ignores rows of users and groups.
  if (access_level === null && !includesTier(context.edition, "premium")) return false;
  const access = context.get(Access);
  if (user_id !== null) return user.id === user_id;
  if (group_id !== null) return access.memberLevelInGroup(user.id, group_id) >= accessLevels.developer;
  if (access_level === administrators) return user.is_admin;
  return access_level !== null && access_level !== 0 && access.levelInProject(user, project) >= access_level;
}

/** True when a rule protects the branch now. The branch need not exist. */
export function isProtectedBranch({ store }: Context, project: ProjectRecord, branch: string): boolean {
  return branchRulesOf(store, project).some(({ name }) => matchesWildcard(name, branch));
}

/** True when the rules let the user push to the branch or merge into it. */
export function canPushOrMerge(context: Context, user: CallerUser, project: ProjectRecord, branch: string): boolean {
  const { canPush, canMerge } = branchRightsOf(context, user, project, branchRulesOf(context.store, project), branch);
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
  return rows.some((row) => canUseRow(context, user, project, row));
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
  const rules = branchRulesInForce(context, project, { isEmpty });
  const rights = branchRightsOf(context, user, project, rules, branch);
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
