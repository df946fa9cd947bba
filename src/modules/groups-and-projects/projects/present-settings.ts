/** The fields of a project that its settings alone decide. */

import { serviceKey } from "../../kernel/service.ts";
import { type ProjectRecord, type ProjectSettings, projectSettingsOf } from "./records.ts";
import { enabledFeatures } from "./settings.ts";

/** Settings that are shown to those who may change them. */
const maintainerSettings: ReadonlySet<string> = new Set([
  "auto_cancel_pending_pipelines",
  "auto_devops_deploy_strategy",
  "auto_devops_enabled",
  "build_git_strategy",
  "build_timeout",
  "ci_allow_fork_pipelines_to_run_in_parent_project",
  "ci_default_git_depth",
  "ci_delete_pipelines_in_seconds",
  "ci_forward_deployment_enabled",
  "ci_forward_deployment_rollback_allowed",
  "ci_id_token_sub_claim_components",
  "ci_pipeline_variables_minimum_override_role",
  "ci_push_repository_for_job_token_allowed",
  "ci_separated_caches",
  "group_runners_enabled",
  "keep_latest_artifact",
  "resource_group_default_process_mode",
  "restrict_user_defined_variables",
] satisfies (keyof ProjectSettings)[]);

/** Sets of fields that are remembered at once. */
const fieldsMax = 256;
/** Projects whose fields are remembered at once. */
const projectsMax = 8_192;
/** Characters of settings for which fields are remembered: templates may be long. */
const settingsLengthMax = 1_024;

/** The fields that settings alone decide, worked out once for projects with the same settings: most have the initial ones. */
class SettingFields {
  readonly #byContent = new Map<string, ReturnType<typeof presentSettings>>();
  /** By id. Settings are replaced and never changed: to make a text of them takes longer than the rest of a look-up. */
  readonly #byProject = new Map<
    number,
    Pick<ProjectRecord, "settings"> & { fields: ReturnType<typeof presentSettings> }
  >();

  of(project: ProjectRecord): ReturnType<typeof presentSettings> {
    const { id, settings } = project;
    const known = this.#byProject.get(id);
    if (known?.settings === settings) return known.fields;
    const key = JSON.stringify(settings);
    if (key.length > settingsLengthMax) return presentSettings(projectSettingsOf(project));
    const fields = this.#byContent.get(key) ?? presentSettings(projectSettingsOf(project));
    if (this.#byContent.size >= fieldsMax) this.#byContent.clear();
    if (this.#byProject.size >= projectsMax) this.#byProject.clear();
    this.#byContent.set(key, fields);
    this.#byProject.set(id, { settings, fields });
    return fields;
  }
}

export const ProjectSettingFields = serviceKey("project-setting-fields", () => new SettingFields());

/**
 * Fields by the callers that see them: `free` everybody who is signed in, `ofMaintainers` those who may administer the
 * project, `code` those who read its code, `paid` the editions that are sold. `enabled` depends on whether the caller is a
 * member.
 */
function presentSettings(settings: ProjectSettings) {
  const { ci_config_path, ...others } = freeSettings(settings);
  const all = Object.entries(others);
  return {
    free: {
      ...Object.fromEntries(all.filter(([name]) => !maintainerSettings.has(name))),
      emails_disabled: !settings.emails_enabled,
    },
    ofMaintainers: Object.fromEntries(all.filter(([name]) => maintainerSettings.has(name))),
    code: { ci_config_path },
    enabled: { forMembers: enabledViews(settings, true), forOthers: enabledViews(settings, false) },
    paid: paidFields(settings),
  };
}

/** All settings but those that are sold, and the one of `job_token_scope`. */
function freeSettings(settings: ProjectSettings) {
  const {
    inbound_job_token_scope_enabled: _inbound,
    requirements_access_level: _requirements,
    approvals_before_merge: _approvals,
    mirror: _mirror,
    mirror_trigger_builds: _triggers,
    issues_template: _issues,
    merge_requests_template: _mergeRequests,
    ...free
  } = settings;
  return free;
}

function paidFields(settings: ProjectSettings) {
  return {
    requirements_access_level: settings.requirements_access_level,
    requirements_enabled: settings.requirements_access_level !== "disabled",
    security_and_compliance_enabled: settings.security_and_compliance_access_level !== "disabled",
    approvals_before_merge: settings.approvals_before_merge,
    mirror: settings.mirror,
    mirror_trigger_builds: settings.mirror_trigger_builds,
    issues_template: settings.issues_template,
    merge_requests_template: settings.merge_requests_template,
    marked_for_deletion_at: null,
    marked_for_deletion_on: null,
    compliance_frameworks: [],
    external: false,
  };
}

function enabledViews(settings: ProjectSettings, isMember: boolean) {
  return Object.fromEntries(
    Object.entries(enabledFeatures).map(([name, feature]) => {
      const level = settings[`${feature}_access_level`];
      return [name, level !== "disabled" && (isMember || level !== "private")];
    }),
  );
}
