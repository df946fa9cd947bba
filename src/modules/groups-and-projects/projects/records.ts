import { visibilities } from "../../../domain/visibility.ts";
import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  sum,
  text,
  unique,
} from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";
import { ExpirationPolicy } from "../../registries/container-registry/records-expiration-policy.ts";
import { AvatarRecord, nameKey } from "../groups/records.ts";
import { pathKey } from "../namespaces-api/records.ts";

const featureLevel = field.oneOf("disabled", "private", "enabled", "public");
export type FeatureLevel = RecordOf<typeof featureLevel>;

/** Parts of a project that can be turned off or restricted to members (groups-and-projects 3.3). */
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

export const processModes = ["unordered", "oldest_first", "newest_first", "newest_ready_first"] as const;

export const overrideRoles = ["no_one_allowed", "developer", "maintainer", "owner"] as const;

const featureLevels = Object.fromEntries(
  projectFeatures.map((feature) => [`${feature}_access_level`, featureLevel]),
) as { readonly [F in ProjectFeature as `${F}_access_level`]: typeof featureLevel };

/**
 * The settings of a maintainer (groups-and-projects 3.3); a record keeps those that differ from
 * `initialProjectSettings`.
 */
export const ProjectSettings = field.object({
  ...featureLevels,
  lfs_enabled: field.flag,
  packages_enabled: field.flag,
  request_access_enabled: field.flag,
  shared_runners_enabled: field.flag,
  group_runners_enabled: field.flag,
  public_jobs: field.flag,
  service_desk_enabled: field.flag,
  remove_source_branch_after_merge: field.flag,
  only_allow_merge_if_pipeline_succeeds: field.flag,
  only_allow_merge_if_all_discussions_are_resolved: field.flag,
  allow_merge_on_skipped_pipeline: field.flag,
  resolve_outdated_diff_discussions: field.flag,
  autoclose_referenced_issues: field.flag,
  emails_enabled: field.flag,
  auto_devops_enabled: field.flag,
  ci_forward_deployment_enabled: field.flag,
  keep_latest_artifact: field.flag,
  printing_merge_request_link_enabled: field.flag,
  /** The older name for a role above developer. */
  restrict_user_defined_variables: field.flag,
  /** The lowest role that may set variables of a pipeline (triggers-and-pipelines 2). */
  ci_pipeline_variables_minimum_override_role: field.oneOf(...overrideRoles),
  /** Whether only jobs of listed projects and groups have access with their tokens (job-token-scope 1). */
  inbound_job_token_scope_enabled: field.flag,
  enforce_auth_checks_on_uploads: field.flag,
  warn_about_potentially_unwanted_characters: field.flag,
  ci_separated_caches: field.flag,
  ci_forward_deployment_rollback_allowed: field.flag,
  ci_allow_fork_pipelines_to_run_in_parent_project: field.flag,
  ci_push_repository_for_job_token_allowed: field.flag,
  ci_delete_pipelines_in_seconds: field.nullable(field.whole),
  ci_id_token_sub_claim_components: field.listOf(field.text),
  resource_group_default_process_mode: field.oneOf(...processModes),
  max_artifacts_size: field.nullable(field.whole),
  merge_method: field.oneOf("merge", "rebase_merge", "ff"),
  squash_option: field.oneOf("never", "always", "default_on", "default_off"),
  ci_config_path: field.nullable(field.text),
  build_timeout: field.whole,
  build_git_strategy: field.oneOf("fetch", "clone"),
  auto_cancel_pending_pipelines: field.oneOf("enabled", "disabled"),
  ci_default_git_depth: field.nullable(field.whole),
  auto_devops_deploy_strategy: field.text,
  merge_commit_template: field.nullable(field.text),
  squash_commit_template: field.nullable(field.text),
  suggestion_commit_message: field.nullable(field.text),
  issue_branch_template: field.nullable(field.text),
  external_authorization_classification_label: field.text,
  approvals_before_merge: field.whole,
  mirror: field.flag,
  mirror_trigger_builds: field.flag,
  issues_template: field.nullable(field.text),
  merge_requests_template: field.nullable(field.text),
});
export type ProjectSettings = RecordOf<typeof ProjectSettings>;

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
  warn_about_potentially_unwanted_characters: true,
  ci_separated_caches: true,
  ci_forward_deployment_rollback_allowed: true,
  ci_allow_fork_pipelines_to_run_in_parent_project: true,
  ci_push_repository_for_job_token_allowed: false,
  ci_delete_pipelines_in_seconds: null,
  ci_id_token_sub_claim_components: ["project_path", "ref_type", "ref"],
  resource_group_default_process_mode: "unordered",
  max_artifacts_size: null,
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

/** The commits of a project and the bytes that it takes up (groups-and-projects 3.4). */
export const ProjectStatistics = field.object({
  commit_count: field.whole,
  storage_size: field.whole,
  repository_size: field.whole,
  wiki_size: field.whole,
  lfs_objects_size: field.whole,
  job_artifacts_size: field.whole,
  pipeline_artifacts_size: field.whole,
  packages_size: field.whole,
  snippets_size: field.whole,
  uploads_size: field.whole,
  container_registry_size: field.whole,
});
export type ProjectStatistics = RecordOf<typeof ProjectStatistics>;

/** A project (groups-and-projects 3). */
export const ProjectRecord = record({
  id: field.whole,
  namespace_id: field.whole,
  name: field.text,
  path: field.text,
  description: field.nullable(field.text),
  visibility: field.oneOf(...visibilities),
  creator_id: field.nullable(field.whole),
  archived: field.flag,
  default_branch: field.nullable(field.text),
  /** Sorted, without doubles. */
  topics: field.listOf(field.text),
  settings: field.partial(ProjectSettings),
  avatar: field.nullable(AvatarRecord),
  import_url: field.nullable(field.text),
  star_count: field.whole,
  /** The token of the old registration of runners; maintainers see it. */
  runners_token: field.text,
  repository_storage: field.text,
  created_at: field.moment,
  updated_at: field.moment,
  last_activity_at: field.moment,
  /** Name of the README in the root of the default branch; left out for none. */
  readme: field.optional(field.text),
  /** Sizes in bytes and counts, as far as they are not 0. */
  statistics: field.optional(field.partial(ProjectStatistics)),
  expiration_policy: field.optional(field.partial(ExpirationPolicy)),
  /** Its deletion was accepted: it is hidden from all users, and its name and path are free. */
  is_being_deleted: field.optional(field.oneOf(true)),
});
export type ProjectRecord = RecordOf<typeof ProjectRecord>;

export const projects = collection("projects", ProjectRecord, {
  indexes: {
    place: unique((project) => (isBeingDeleted(project) ? undefined : pathKey(project.namespace_id, project.path))),
    name_in_namespace: multi((project) =>
      isBeingDeleted(project) ? [] : [nameKey(project.namespace_id, project.name)],
    ),
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
    storage: sum((project) => [
      `project ${project.id}` satisfies StorageOwner,
      (project.statistics?.storage_size ?? 0) + (project.avatar?.size ?? 0),
    ]),
    words: text({
      name: (project) => project.name,
      path: (project) => project.path,
      description: (project) => project.description ?? "",
    }),
  },
  blobsOf: (project) => (project.avatar === null ? [] : [project.avatar.blob]),
  secrets: {
    runners_token: "renew",
    import_url: "withoutUserinfo",
    settings: { omit: [], public: ["ci_id_token_sub_claim_components"] },
  },
  references: { namespace_id: "namespaces" },
});

/** One setting of a project as it is in force, without a copy of all. */
export function projectSettingOf<N extends keyof ProjectSettings>(
  { settings }: ProjectRecord,
  name: N,
): ProjectSettings[N] {
  const own: ProjectSettings[N] | undefined = settings[name];
  return own === undefined ? initialProjectSettings[name] : own;
}

/** All settings of a project as they are in force. */
export function projectSettingsOf({ settings }: ProjectRecord): ProjectSettings {
  return { ...initialProjectSettings, ...settings };
}

/** Features by which lists filter, with their names in flags. */
const filteredFeatures = [
  ["issues", "issues"],
  ["merge_requests", "merge requests"],
] as const;

function isBeingDeleted(project: ProjectRecord): boolean {
  return project.is_being_deleted === true;
}

/** Yes-or-no attributes that lists filter by. */
function flagsOf(project: ProjectRecord): string[] {
  const flags: string[] = [];
  if (project.archived) flags.push("archived");
  if (isBeingDeleted(project)) flags.push("deletion accepted");
  if (project.import_url !== null) flags.push("imported");
  for (const [feature, name] of filteredFeatures) {
    const level = project.settings[`${feature}_access_level`];
    if (level === "disabled" || level === "private") flags.push(`${name} ${level}`);
  }
  return flags;
}
