import { accessLevels } from "../../../domain/access-level.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import {
  type BranchProtectionDefaults,
  type BranchProtectionForms,
  formsOfNumber,
  protectedLevelsOf,
  settingsOf,
} from "../../core/application-settings/index.ts";
import { type GroupRecord, groupSettingsOf, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type BranchRule, nameInProject, protectedBranches, refAccessLevels } from "./records.ts";

/**
 * The protection of default branches in a group, in both forms; without one set there, and for personal projects, that of the
 * instance (protected-refs 6).
 */
export function branchProtectionOf(context: Context, group: GroupRecord | undefined): BranchProtectionForms {
  const { default_branch_protection, default_branch_protection_defaults } = settingsOf(context);
  const instance = { default_branch_protection, default_branch_protection_defaults };
  if (group === undefined) return instance;
  const { default_branch_protection: number, default_branch_protection_defaults: hash } = groupSettingsOf(group);
  const forms =
    number === null ? instance : formsOfNumber(number as BranchProtectionForms["default_branch_protection"]);
  return hash === null ? forms : { ...forms, default_branch_protection_defaults: hash as BranchProtectionDefaults };
}

/** Protects the branch that has just become the default one of a repository; a rule of this name stays as it is. */
export function insertDefaultRule(
  tx: Transaction,
  context: Context,
  project: ProjectRecord,
  branch: string,
  created_at: DateTime = toDateTime(context.clock.now()),
): void {
  const { store } = context;
  const rule = ruleFor(context, project);
  if (rule === undefined) return;
  if (store.of(protectedBranches).by.name_in_project.find(nameInProject(project.id, branch)) !== undefined) return;
  const { id: rule_id } = tx.insert(protectedBranches, {
    id: tx.nextId("protected_branches"),
    project_id: project.id,
    name: branch,
    allow_force_push: rule.allow_force_push,
    code_owner_approval_required: rule.code_owner_approval_required,
    created_at,
    updated_at: created_at,
  });
  for (const kind of ["push", "merge"] as const) {
    for (const row of rule[kind]) {
      tx.insert(refAccessLevels, { id: tx.nextId("ref_access_levels"), kind, rule_id, project_id: project.id, ...row });
    }
  }
}

/** True when the branch is about to become the default one of a repository without branches, and a rule will be made for it. */
export function willProtectBranch(context: Context, project: ProjectRecord, branch: string): boolean {
  const isFirst =
    project.default_branch === branch && context.store.of(projects).get(project.id)?.default_branch === null;
  return isFirst && ruleFor(context, project) !== undefined;
}

/**
 * The rule for all branches of a repository that has none: maintainers make the first one, developers only if the
 * protection says so.
 */
export function emptyRepositoryRules(context: Context, project: ProjectRecord): readonly BranchRule[] {
  const rule = ruleFor(context, project);
  if (rule === undefined || rule.push.some(({ access_level }) => access_level === accessLevels.developer)) return [];
  const first = [rowOf(rule.canDevelopersBegin ? accessLevels.developer : accessLevels.maintainer)];
  return [{ name: "*", allow_force_push: false, push: first, merge: first }];
}

/** The rule that the protection makes; undefined when it protects nothing. */
function ruleFor(context: Context, { namespace_id }: ProjectRecord) {
  const protection = branchProtectionOf(context, context.store.of(groups).get(namespace_id));
  if (protection.default_branch_protection === 0) return undefined;
  const { default_branch_protection_defaults: hash } = protection;
  return {
    push: protectedLevelsOf(hash.allowed_to_push).map(rowOf),
    merge: protectedLevelsOf(hash.allowed_to_merge).map(rowOf),
    allow_force_push: hash.allow_force_push ?? false,
    code_owner_approval_required: hash.code_owner_approval_required ?? false,
    canDevelopersBegin: hash.developer_can_initial_push ?? false,
  };
}

function rowOf(access_level: 0 | 30 | 40 | 60) {
  return { access_level, user_id: null, group_id: null };
}
