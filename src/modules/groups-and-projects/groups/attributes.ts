/** The settings of a group after a request. */

import { formsOfRequest } from "../../core/application-settings/index.ts";
import { type GroupSettings, initialGroupSettings } from "./records.ts";
import type { GroupSettingsGiven } from "./schema-parameters.ts";

const plainNames = [
  "request_access_enabled",
  "share_with_group_lock",
  "require_two_factor_authentication",
  "two_factor_grace_period",
  "project_creation_level",
  "subgroup_creation_level",
  "auto_devops_enabled",
  "emails_enabled",
  "mentions_disabled",
  "lfs_enabled",
  "default_branch",
  "math_rendering_limits_enabled",
  "lock_math_rendering_limits_enabled",
] as const satisfies readonly (keyof GroupSettings)[];

const premiumNames = [
  "membership_lock",
  "prevent_forking_outside_group",
  "shared_runners_minutes_limit",
  "extra_shared_runners_minutes_limit",
  "file_template_project_id",
] as const satisfies readonly (keyof GroupSettings)[];

/** The facts that decide whether a setting may be set. */
interface GroupPosition {
  readonly isPremium: boolean;
  readonly isTopLevel: boolean;
  readonly isAdministrator: boolean;
}

/** Settings that only an update takes. */
type UpdateSettings = Partial<
  Pick<
    GroupSettings,
    | "shared_runners_setting"
    | "max_artifacts_size"
    | "math_rendering_limits_enabled"
    | "lock_math_rendering_limits_enabled"
  >
>;

/** The settings with those that were given; a record stores only those that differ from the initial ones. */
export function withSettings(
  before: Partial<GroupSettings>,
  given: GroupSettingsGiven & UpdateSettings,
  { isPremium, isTopLevel, isAdministrator }: GroupPosition,
): Partial<GroupSettings> {
  const after: Record<string, unknown> = { ...before };
  if (given.emails_disabled !== undefined) after.emails_enabled = !given.emails_disabled;
  const protection = formsOfRequest(given);
  if (protection !== undefined) {
    after.default_branch_protection = protection.default_branch_protection;
    after.default_branch_protection_defaults = given.default_branch_protection_defaults ?? null;
  }
  const names: (keyof GroupSettings & keyof typeof given)[] = [...plainNames, "shared_runners_setting"];
  if (isPremium) names.push(...premiumNames);
  if (isTopLevel) names.push("prevent_sharing_groups_outside_hierarchy", "enabled_git_access_protocol");
  if (isAdministrator) names.push("max_artifacts_size");
  for (const name of names) if (given[name] !== undefined) after[name] = given[name];
  if (after.default_branch === "") after.default_branch = null;
  const initial: Readonly<Record<string, unknown>> = { ...initialGroupSettings };
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== initial[name]));
}
