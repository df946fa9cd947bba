import type { Visibility } from "../../../domain/visibility.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";
import { placeKey } from "./collection.ts";
import { type AvatarRecord, nameKey } from "./groups.ts";

export type FeatureLevel = "disabled" | "private" | "enabled" | "public";

/** Parts of a project that can be turned off or kept for members (groups-and-projects 3.3). */
export const projectFeatures = [
  "issues",
  "repository",
  "merge_requests",
  "forking",
  "wiki",
  "builds",
  "snippets",
  "pages",
  "analytics",
  "container_registry",
  "environments",
  "feature_flags",
  "infrastructure",
  "monitor",
  "releases",
  "security_and_compliance",
  "requirements",
  "model_experiments",
  "model_registry",
] as const;
export type ProjectFeature = (typeof projectFeatures)[number];

export const overrideRoles = ["no_one_allowed", "developer", "maintainer", "owner"] as const;
type OverrideRole = (typeof overrideRoles)[number];

/** What a maintainer can set (groups-and-projects 3.3); a record keeps what differs from `initialProjectSettings`. */
export type ProjectSettings = { readonly [F in ProjectFeature as `${F}_access_level`]: FeatureLevel } & {
  readonly lfs_enabled: boolean;
  readonly packages_enabled: boolean;
  readonly request_access_enabled: boolean;
  readonly shared_runners_enabled: boolean;
  readonly group_runners_enabled: boolean;
  readonly public_jobs: boolean;
  readonly service_desk_enabled: boolean;
  readonly remove_source_branch_after_merge: boolean;
  readonly only_allow_merge_if_pipeline_succeeds: boolean;
  readonly only_allow_merge_if_all_discussions_are_resolved: boolean;
  readonly allow_merge_on_skipped_pipeline: boolean;
  readonly resolve_outdated_diff_discussions: boolean;
  readonly autoclose_referenced_issues: boolean;
  readonly emails_enabled: boolean;
  readonly auto_devops_enabled: boolean;
  readonly ci_forward_deployment_enabled: boolean;
  readonly keep_latest_artifact: boolean;
  readonly printing_merge_request_link_enabled: boolean;
  /** The older name for a role above developer. */
  readonly restrict_user_defined_variables: boolean;
  /** Who may give a pipeline variables of their own (triggers-and-pipelines 2). */
  readonly ci_pipeline_variables_minimum_override_role: OverrideRole;
  /** Only jobs of listed projects and groups get in with their tokens (job-token-scope 1). */
  readonly inbound_job_token_scope_enabled: boolean;
  readonly enforce_auth_checks_on_uploads: boolean;
  readonly merge_method: "merge" | "rebase_merge" | "ff";
  readonly squash_option: "never" | "always" | "default_on" | "default_off";
  readonly ci_config_path: string | null;
  readonly build_timeout: number;
  readonly build_git_strategy: "fetch" | "clone";
  readonly auto_cancel_pending_pipelines: "enabled" | "disabled";
  readonly ci_default_git_depth: number | null;
  readonly auto_devops_deploy_strategy: string;
  readonly merge_commit_template: string | null;
  readonly squash_commit_template: string | null;
  readonly suggestion_commit_message: string | null;
  readonly issue_branch_template: string | null;
  readonly external_authorization_classification_label: string;
  readonly approvals_before_merge: number;
  readonly mirror: boolean;
  readonly mirror_trigger_builds: boolean;
  readonly issues_template: string | null;
  readonly merge_requests_template: string | null;
};

export const initialProjectSettings: ProjectSettings = {
  ...(Object.fromEntries(projectFeatures.map((feature) => [`${feature}_access_level`, "enabled"])) as {
    [F in ProjectFeature as `${F}_access_level`]: FeatureLevel;
  }),
  lfs_enabled: true,
  packages_enabled: true,
  request_access_enabled: true,
  shared_runners_enabled: true,
  group_runners_enabled: true,
  public_jobs: true,
  service_desk_enabled: false,
  remove_source_branch_after_merge: true,
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  allow_merge_on_skipped_pipeline: false,
  resolve_outdated_diff_discussions: false,
  autoclose_referenced_issues: true,
  emails_enabled: true,
  auto_devops_enabled: false,
  ci_forward_deployment_enabled: true,
  keep_latest_artifact: true,
  printing_merge_request_link_enabled: true,
  restrict_user_defined_variables: false,
  ci_pipeline_variables_minimum_override_role: "developer",
  inbound_job_token_scope_enabled: true,
  enforce_auth_checks_on_uploads: true,
  merge_method: "merge",
  squash_option: "default_off",
  ci_config_path: null,
  build_timeout: 3600,
  build_git_strategy: "fetch",
  auto_cancel_pending_pipelines: "enabled",
  ci_default_git_depth: 20,
  auto_devops_deploy_strategy: "continuous",
  merge_commit_template: null,
  squash_commit_template: null,
  suggestion_commit_message: null,
  issue_branch_template: null,
  external_authorization_classification_label: "",
  approvals_before_merge: 0,
  mirror: false,
  mirror_trigger_builds: false,
  issues_template: null,
  merge_requests_template: null,
};

/** A project (groups-and-projects 3). */
export interface ProjectRecord {
  readonly id: number;
  readonly namespace_id: number;
  readonly name: string;
  readonly path: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly creator_id: number | null;
  readonly archived: boolean;
  readonly default_branch: string | null;
  /** Sorted, without doubles. */
  readonly topics: readonly string[];
  readonly settings: Partial<ProjectSettings>;
  readonly avatar: AvatarRecord | null;
  readonly import_url: string | null;
  readonly star_count: number;
  /** For runners of the old registration; shown to maintainers. */
  readonly runners_token: string;
  readonly repository_storage: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly last_activity_at: DateTime;
  /** Name of the README in the root of the default branch; left out for none. */
  readonly readme?: string;
  /** Sizes in bytes and counts, as far as they are not 0. */
  readonly statistics?: Partial<ProjectStatistics>;
  /** Its deletion was accepted: nobody sees it any more, and its name and path are free. */
  readonly is_being_deleted?: true;
}

/** What a project takes up (groups-and-projects 3.4). */
export interface ProjectStatistics {
  readonly commit_count: number;
  readonly storage_size: number;
  readonly repository_size: number;
  readonly wiki_size: number;
  readonly lfs_objects_size: number;
  readonly job_artifacts_size: number;
  readonly pipeline_artifacts_size: number;
  readonly packages_size: number;
  readonly snippets_size: number;
  readonly uploads_size: number;
  readonly container_registry_size: number;
}

export const projects = collection<ProjectRecord>()(
  "projects",
  {
    place: unique((project) => (isGoing(project) ? undefined : placeKey(project.namespace_id, project.path))),
    name_in_namespace: multi((project) => (isGoing(project) ? [] : [nameKey(project.namespace_id, project.name)])),
    namespace_id: multi((project) => [project.namespace_id]),
    creator_id: multi((project) => (project.creator_id === null ? [] : [project.creator_id])),
    visibility: bitmap((project) => [project.visibility]),
    flag: bitmap(flagsOf),
    topic: multi((project) => project.topics.map((topic) => topic.toLowerCase())),
    repository_storage: bitmap((project) => [project.repository_storage]),
    id: ordered((project) => project.id),
    name: ordered((project) => project.name.toLowerCase()),
    path: ordered((project) => project.path.toLowerCase()),
    created_at: ordered((project) => project.created_at),
    updated_at: ordered((project) => project.updated_at),
    last_activity_at: ordered((project) => project.last_activity_at),
    star_count: ordered((project) => project.star_count),
    repository_size: ordered((project) => project.statistics?.repository_size ?? 0),
    storage_size: ordered((project) => project.statistics?.storage_size ?? 0),
    packages_size: ordered((project) => project.statistics?.packages_size ?? 0),
    wiki_size: ordered((project) => project.statistics?.wiki_size ?? 0),
    words: text({ name: (project) => project.name, path: (project) => project.path }),
  },
  { blobsOf: (project) => (project.avatar === null ? [] : [project.avatar.blob]) },
);

/** All settings of a project as they are in force. Earlier versions knew of the role by its older name alone. */
export function projectSettingsOf({ settings }: ProjectRecord): ProjectSettings {
  const all = { ...initialProjectSettings, ...settings };
  if (!all.restrict_user_defined_variables || settings.ci_pipeline_variables_minimum_override_role) return all;
  return { ...all, ci_pipeline_variables_minimum_override_role: "maintainer" };
}

function isGoing(project: ProjectRecord): boolean {
  return project.is_being_deleted === true;
}

/** Yes-or-no attributes that lists filter by. */
function flagsOf(project: ProjectRecord): string[] {
  const flags: string[] = [];
  if (project.archived) flags.push("archived");
  if (isGoing(project)) flags.push("deletion accepted");
  if (project.import_url !== null) flags.push("imported");
  if (project.settings.issues_access_level === "disabled") flags.push("issues disabled");
  if (project.settings.merge_requests_access_level === "disabled") flags.push("merge requests disabled");
  return flags;
}
