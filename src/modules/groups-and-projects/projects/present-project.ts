import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { hostOf } from "../../../lib/base-path.ts";
import type { Store } from "../../../store/index.ts";
import {
  Access,
  canSeeFeature,
  holderKey,
  memberships,
  presentSharedWithGroups,
  type SourceRef,
} from "../../core/access/index.ts";
import { presentCustomAttributes } from "../../core/custom-attributes/index.ts";
import {
  groups,
  namespaces,
  type ProjectRecord,
  type ProjectSettings,
  projectSettingsOf,
  projectStatisticsOf,
  shownRunnersToken,
} from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { View } from "../../kernel/view.ts";
import { notificationLevelOf } from "../../notifications/settings/index.ts";
import { countOpenIssues } from "../../planning/issues/index.ts";
import { presentSimpleProject } from "./present.ts";
import type { AnyProject } from "./schema.ts";
import { enabledFeatures } from "./settings.ts";

export interface PresentOptions {
  /** Shown to members from reporter on. */
  readonly statistics?: boolean | undefined;
  /** Shown to administrators. */
  readonly with_custom_attributes?: boolean | undefined;
}

/** An entry of a list, as this caller sees it: the simple form when that was asked for. */
export function projectPresenter(view: View, options: PresentOptions & { readonly simple?: boolean | undefined }) {
  if (options.simple !== true) {
    return (project: ProjectRecord) => presentProject(project, view, options);
  }
  return (project: ProjectRecord) => ({
    ...presentSimpleProject(project, view),
    ...customAttributesOf(project, view, options),
  });
}

/**
 * groups-and-projects 3.4: the normal form for signed-in users, with `permissions`; the simple one for others.
 */
export function presentProject(
  project: ProjectRecord,
  view: View,
  options: PresentOptions = {},
): Static<typeof AnyProject> {
  const { context, caller, baseUrl } = view;
  const simple = presentSimpleProject(project, view);
  const { user } = caller;
  if (user === undefined) return simple;
  const level = context.get(Access).levelInProject(user, project);
  const settingFields = context.get(ProjectSettingFields).of(project);
  return {
    ...simple,
    permissions: permissionsOf(context, user, project),
    ...ownerOf(project, view),
    visibility: project.visibility,
    creator_id: project.creator_id,
    archived: project.archived,
    empty_repo: project.default_branch === null,
    ...settingFields.free,
    can_create_merge_request_in: canSeeFeature(context, user, project, "merge_requests"),
    ci_job_token_scope_enabled: false,
    ...openIssues(context, caller, project),
    import_url: level >= accessLevels.maintainer ? project.import_url : null,
    import_type: null,
    import_status: "none",
    import_error: null,
    ...(level >= accessLevels.maintainer
      ? { runners_token: shownRunnersToken({ project }), updated_at: project.updated_at }
      : {}),
    service_desk_address: null,
    runner_token_expiration_interval: null,
    container_registry_image_prefix: `${hostOf(baseUrl).host}/${simple.path_with_namespace.toLowerCase()}`,
    shared_with_groups: presentSharedWithGroups({ type: "project", id: project.id }, view),
    container_expiration_policy: null,
    ...(options.statistics === true && level >= accessLevels.reporter
      ? { statistics: projectStatisticsOf(project) }
      : {}),
    _links: linksOf(project, baseUrl),
    ...customAttributesOf(project, view, options),
    ...(includesTier(context.edition, "premium") ? settingFields.paid : {}),
  };
}

/** The direct row, and what comes through the groups; null for none. */
function permissionsOf(context: Context, { id: userId }: CallerUser, project: ProjectRecord) {
  const { store } = context;
  const access = context.get(Access);
  const rows = store.of(memberships);
  const rowId = rows.by.holder.find(holderKey({ type: "project", id: project.id }, userId));
  const row = rowId === undefined ? undefined : rows.get(rowId);
  const isInForce = row?.state === "active" && (row.expires_at === null || row.expires_at > access.today);
  const inGroup =
    store.of(groups).get(project.namespace_id) === undefined
      ? accessLevels.none
      : access.memberLevelInGroup(userId, project.namespace_id);
  return {
    project_access: isInForce
      ? presentAccess(store, userId, row.access_level, { type: "project", id: project.id })
      : null,
    group_access:
      inGroup >= accessLevels.guest
        ? presentAccess(store, userId, inGroup, { type: "group", id: project.namespace_id })
        : null,
  };
}

function presentAccess(store: Store, userId: number, access_level: AccessLevel, source: SourceRef) {
  return { access_level, notification_level: notificationLevelOf(store, userId, source) };
}

function customAttributesOf({ id }: ProjectRecord, view: View, options: PresentOptions) {
  if (view.caller.user?.is_admin !== true || options.with_custom_attributes !== true) return {};
  return presentCustomAttributes({ resource: "Project", id }, view);
}

function ownerOf({ namespace_id }: ProjectRecord, view: View) {
  const { store } = view.context;
  const ownerId = store.of(namespaces).get(namespace_id)?.owner_id ?? null;
  const owner = ownerId === null ? undefined : findUser(store, ownerId);
  return owner === undefined ? {} : { owner: presentBasicUser(owner, view) };
}

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

/** `paid`: those of the editions that are sold. */
function presentSettings(settings: ProjectSettings) {
  const free = { ...freeSettings(settings), ...enabledViews(settings), emails_disabled: !settings.emails_enabled };
  return { free, paid: paidFields(settings) };
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

function enabledViews(settings: ProjectSettings) {
  return Object.fromEntries(
    Object.entries(enabledFeatures).map(([name, feature]) => [
      name,
      settings[`${feature}_access_level`] !== "disabled",
    ]),
  );
}

function openIssues(context: Context, caller: Caller, project: ProjectRecord) {
  if (!canSeeFeature(context, caller.user, project, "issues")) return {};
  return { open_issues_count: countOpenIssues(context, caller, project) };
}

function linksOf({ id }: ProjectRecord, baseUrl: string) {
  const self = `${baseUrl}/api/v4/projects/${id}`;
  return {
    self,
    issues: `${self}/issues`,
    merge_requests: `${self}/merge_requests`,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`,
  };
}
