/** The rights of one user on the branches of a project. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { AccessRow, BranchRule } from "./records.ts";
import { Wildcard } from "./wildcard.ts";

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

/** The part of the rights that rules decide. */
type RuleRights = Pick<BranchRights, "canPush" | "canMerge" | "canDevelopersPush" | "canDevelopersMerge">;

/**
 * Answers for one branch after the other. All rules whose names match count: what one of them allows is allowed. The rows of a
 * rule are read once. The answers throw `OverBudget`.
 */
export function branchRightsIn(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
  rules: readonly BranchRule[],
): (branch: string) => BranchRights {
  const level = context.get(Access).levelInProject(user, project);
  const canChange = !project.archived && level >= accessLevels.developer;
  const isAmong = rowTest(context, user, project);
  const fits = (row: AccessRow) => canChange && isAmong(row);
  const ready = rules.map((rule) => ({ rule, wildcard: new Wildcard(rule.name) }));
  const known = new Map<BranchRule, RuleRights>();
  const rightsBy = (rule: BranchRule) => {
    const rights = known.get(rule) ?? ruleRightsOf(rule, fits);
    known.set(rule, rights);
    return rights;
  };
  return (branch) => {
    const matching = ready.filter(({ wildcard }) => wildcard.matches(branch)).map(({ rule }) => rule);
    const isProtected = matching.length > 0;
    const allows = (right: keyof RuleRights) => matching.some((rule) => rightsBy(rule)[right]);
    const canPush = isProtected ? allows("canPush") : canChange;
    return {
      isProtected,
      canPush,
      canMerge: isProtected ? allows("canMerge") : canChange,
      canDelete: canChange && (!isProtected || level >= accessLevels.maintainer),
      canForcePush: canPush && (!isProtected || matching.some(({ allow_force_push }) => allow_force_push)),
      canDevelopersPush: allows("canDevelopersPush"),
      canDevelopersMerge: allows("canDevelopersMerge"),
    };
  };
}

function ruleRightsOf({ push, merge }: BranchRule, fits: (row: AccessRow) => boolean): RuleRights {
  spend((push.length + merge.length) * documentSteps);
  const isForDevelopers = ({ access_level }: AccessRow) => access_level === accessLevels.developer;
  return {
    canPush: push.some(fits),
    canMerge: merge.some(fits),
    canDevelopersPush: push.some(isForDevelopers),
    canDevelopersMerge: merge.some(isForDevelopers),
  };
}

/** A test for the rows that let a user in. It looks up each group once. */
export function rowTest(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
): (row: AccessRow) => boolean {
  if (user === undefined) return () => false;
  const access = context.get(Access);
  const isPaid = includesTier(context.edition, "premium");
  const level = access.levelInProject(user, project);
  const levels = new Map<number, number>();
  const levelIn = (groupId: number) => {
    const found = levels.get(groupId) ?? access.memberLevelInGroup(user.id, groupId);
    levels.set(groupId, found);
    return found;
  };
  return ({ access_level, user_id, group_id }) => {
    // A lower edition ignores rows of users and groups.
    if (access_level === null && !isPaid) return false;
    if (user_id !== null) return user.id === user_id;
    if (group_id !== null) return levelIn(group_id) >= accessLevels.developer;
    if (access_level === administrators) return user.is_admin;
    return access_level !== null && access_level !== 0 && level >= access_level;
  };
}
