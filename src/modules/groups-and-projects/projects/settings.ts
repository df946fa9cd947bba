/** The settings of projects, as parameters and in records. */

import type { TOptional, TUnsafe } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { boolean, integer, list, longText, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import type { Context } from "../../kernel/context.ts";
import {
  type FeatureLevel,
  initialProjectSettings,
  overrideRoles,
  type ProjectFeature,
  type ProjectSettings,
  processModes,
  projectFeatures,
} from "./records.ts";

/** Yes or no, named as the setting itself. */
const switches = [
  "lfs_enabled",
  "packages_enabled",
  "request_access_enabled",
  "shared_runners_enabled",
  "group_runners_enabled",
  "public_jobs",
  "service_desk_enabled",
  "remove_source_branch_after_merge",
  "only_allow_merge_if_pipeline_succeeds",
  "only_allow_merge_if_all_discussions_are_resolved",
  "allow_merge_on_skipped_pipeline",
  "resolve_outdated_diff_discussions",
  "autoclose_referenced_issues",
  "emails_enabled",
  "auto_devops_enabled",
  "ci_forward_deployment_enabled",
  "keep_latest_artifact",
  "printing_merge_request_link_enabled",
  "restrict_user_defined_variables",
  "enforce_auth_checks_on_uploads",
  "warn_about_potentially_unwanted_characters",
  "ci_separated_caches",
  "ci_forward_deployment_rollback_allowed",
  "ci_allow_fork_pipelines_to_run_in_parent_project",
  "ci_push_repository_for_job_token_allowed",
] as const satisfies readonly (keyof ProjectSettings)[];

/** The boolean view of a feature's level, by its older name. */
export const enabledFeatures = {
  issues_enabled: "issues",
  merge_requests_enabled: "merge_requests",
  jobs_enabled: "builds",
  wiki_enabled: "wiki",
  snippets_enabled: "snippets",
  container_registry_enabled: "container_registry",
} as const satisfies Readonly<Record<string, ProjectFeature>>;

const paidSettings = new Set<string>([
  "approvals_before_merge",
  "mirror",
  "mirror_trigger_builds",
  "issues_template",
  "merge_requests_template",
]);

const levels = ["disabled", "private", "enabled"] as const;
const levelsWithPublic = [...levels, "public"] as const;

const switchParameters = Object.fromEntries(switches.map((name) => [name, optional(boolean())])) as {
  [S in (typeof switches)[number]]: TOptional<ReturnType<typeof boolean>>;
};
const enabledParameters = Object.fromEntries(
  Object.keys(enabledFeatures).map((name) => [name, optional(boolean())]),
) as { [F in keyof typeof enabledFeatures]: TOptional<ReturnType<typeof boolean>> };
const levelParameters = Object.fromEntries(
  projectFeatures.map((feature) => [
    `${feature}_access_level`,
    optional(oneOf(feature === "pages" ? levelsWithPublic : levels)),
  ]),
) as { [F in ProjectFeature as `${F}_access_level`]: TOptional<TUnsafe<FeatureLevel>> };

/** The settings among the parameters of creation and update (groups-and-projects 3.3). */
export const settingParameters = {
  ...enabledParameters,
  ...levelParameters,
  ...switchParameters,
  emails_disabled: optional(boolean({ description: "the opposite of emails_enabled" })),
  public_builds: optional(boolean({ description: "older name of public_jobs" })),
  merge_method: optional(oneOf(["merge", "rebase_merge", "ff"])),
  squash_option: optional(oneOf(["never", "always", "default_on", "default_off"])),
  ci_config_path: optional(nullable(text())),
  ci_pipeline_variables_minimum_override_role: optional(oneOf(overrideRoles)),
  ci_delete_pipelines_in_seconds: optional(
    nullable(integer({ description: "owners; from 86,400, a day, to a year", saturate: true })),
  ),
  ci_id_token_sub_claim_components: optional(list(text(), { description: "project_path first" })),
  resource_group_default_process_mode: optional(oneOf(processModes)),
  max_artifacts_size: optional(
    nullable(integer({ maximum: 2147483647, description: "megabytes; administrators, dropped for others" })),
  ),
  build_timeout: optional(
    integer({ minimum: -2147483648, maximum: 2147483647, description: "seconds, from 10 minutes to 1 month" }),
  ),
  build_git_strategy: optional(oneOf(["fetch", "clone"])),
  auto_cancel_pending_pipelines: optional(oneOf(["enabled", "disabled"])),
  ci_default_git_depth: optional(
    nullable(integer({ minimum: -2147483648, maximum: 2147483647, description: "0 to 1000; 0: all of it" })),
  ),
  auto_devops_deploy_strategy: optional(oneOf(["continuous", "manual", "timed_incremental"])),
  merge_commit_template: optional(nullable(text())),
  squash_commit_template: optional(nullable(text())),
  suggestion_commit_message: optional(nullable(text())),
  issue_branch_template: optional(nullable(text())),
  external_authorization_classification_label: optional(text()),
  approvals_before_merge: optional(integer({ minimum: 0, maximum: 2147483647, description: "premium" })),
  mirror: optional(boolean({ deprecated: true, description: "premium" })),
  mirror_trigger_builds: optional(boolean({ deprecated: true, description: "premium" })),
  issues_template: optional(nullable(longText({ description: "premium" }))),
  merge_requests_template: optional(nullable(longText({ description: "premium" }))),
};

/** The settings that parameters name, without what the edition does not have and what the caller may not set. */
export function settingsFrom(
  { edition }: Pick<Context, "edition">,
  { user }: SignedInCaller,
  params: Readonly<Record<string, unknown>>,
): Partial<ProjectSettings> {
  const settings: Record<string, unknown> = {};
  for (const [name, feature] of Object.entries(enabledFeatures)) {
    if (typeof params[name] === "boolean") settings[`${feature}_access_level`] = params[name] ? "enabled" : "disabled";
  }
  if (typeof params.emails_disabled === "boolean") settings.emails_enabled = !params.emails_disabled;
  if (typeof params.public_builds === "boolean") settings.public_jobs = params.public_builds;
  const isPaid = includesTier(edition, "premium");
  for (const name of Object.keys(initialProjectSettings)) {
    if (params[name] === undefined || (paidSettings.has(name) && !isPaid)) continue;
    if (name === "max_artifacts_size" && !user.is_admin) continue;
    settings[name] = params[name];
  }
  return settings as Partial<ProjectSettings>;
}

/** Settings with others over them, without those that are as they are from the beginning. */
export function mergeSettings(
  before: Partial<ProjectSettings>,
  changes: Partial<ProjectSettings>,
): Partial<ProjectSettings> {
  const initial: Readonly<Record<string, unknown>> = initialProjectSettings;
  const all = { ...before, ...changes, ...overrideRole(before, changes) };
  const merged = Object.entries(all).filter(([name, value]) => !Bun.deepEquals(value, initial[name]));
  return Object.fromEntries(merged) as Partial<ProjectSettings>;
}

/** The role and its older name, of which a change may give one, as they go together. */
function overrideRole(before: Partial<ProjectSettings>, changes: Partial<ProjectSettings>): Partial<ProjectSettings> {
  const { ci_pipeline_variables_minimum_override_role: role, restrict_user_defined_variables: isRestricted } = changes;
  if (role !== undefined) {
    return { restrict_user_defined_variables: role !== "developer" };
  }
  if (isRestricted === undefined) return {};
  const known = before.ci_pipeline_variables_minimum_override_role ?? "maintainer";
  return { ci_pipeline_variables_minimum_override_role: isRestricted ? known : "developer" };
}
