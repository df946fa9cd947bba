import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { holderKey, type SourceRef } from "../../../domain/source.ts";
import { hostOf } from "../../../lib/base-path.ts";
import { renderParagraphs } from "../../../lib/text/emoji.ts";
import type { Store } from "../../../store/index.ts";
import { Access, canReadCode, canSeeFeature, presentSharedWithGroups } from "../../core/access/index.ts";
import { presentCustomAttributes } from "../../core/custom-attributes/index.ts";
import { projectStatisticsOf, shownRunnersToken } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { memberships } from "../../members/members/records.ts";
import { notificationLevelOf } from "../../notifications/settings/index.ts";
import { countOpenIssues } from "../../planning/issues/index.ts";
import { groups } from "../groups/records.ts";
import { namespaces } from "../namespaces-api/records.ts";
import { presentExpirationPolicy } from "./expiration-policy.ts";
import { presentSimpleProject } from "./present.ts";
import { ProjectSettingFields } from "./present-settings.ts";
import type { ProjectRecord } from "./records.ts";
import type { AnyProject } from "./schema.ts";

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
  const isMaintainer = level >= accessLevels.maintainer;
  const settingFields = context.get(ProjectSettingFields).of(project);
  return {
    ...simple,
    permissions: permissionsOf(context, user, project),
    ...ownerOf(project, view),
    visibility: project.visibility,
    creator_id: project.creator_id,
    archived: project.archived,
    empty_repo: project.default_branch === null,
    description_html: renderParagraphs(project.description ?? ""),
    repository_object_format: "sha1",
    updated_at: project.updated_at,
    ...settingFields.free,
    ...(level >= accessLevels.guest || user.is_auditor
      ? settingFields.enabled.forMembers
      : settingFields.enabled.forOthers),
    ...(canReadCode(context, user, project) ? settingFields.code : {}),
    can_create_merge_request_in: canSeeFeature(context, user, project, "merge_requests"),
    ...openIssues(context, caller, project),
    import_status: "none",
    ...(isMaintainer ? { ...settingFields.ofMaintainers, ...maintainerFields(project) } : {}),
    ...(level >= accessLevels.reporter ? { service_desk_address: null } : {}),
    container_registry_image_prefix: `${hostOf(baseUrl).host}/${simple.path_with_namespace.toLowerCase()}`,
    shared_with_groups: presentSharedWithGroups({ type: "project", id: project.id }, view),
    container_expiration_policy: presentExpirationPolicy(project),
    ...(options.statistics === true && level >= accessLevels.reporter
      ? { statistics: projectStatisticsOf(project) }
      : {}),
    _links: linksOf(project, view),
    ...customAttributesOf(project, view, options),
    ...(includesTier(context.edition, "premium") ? settingFields.paid : {}),
  };
}

/** The fields that are no settings and that only those see who may administer the project. */
function maintainerFields(project: ProjectRecord) {
  return {
    ci_job_token_scope_enabled: false,
    import_url: project.import_url,
    import_type: project.import_url === null ? null : "git",
    import_error: null,
    runners_token: shownRunnersToken({ project }),
    runner_token_expiration_interval: null,
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

function openIssues(context: Context, caller: Caller, project: ProjectRecord) {
  if (!canSeeFeature(context, caller.user, project, "issues")) return {};
  return { open_issues_count: countOpenIssues(context, caller, project) };
}

/** Addresses around the project, without those of parts that the caller does not see. */
function linksOf(project: ProjectRecord, { context, caller, baseUrl }: View) {
  const self = `${baseUrl}/api/v4/projects/${project.id}`;
  const isSeen = (feature: "issues" | "merge_requests") => canSeeFeature(context, caller.user, project, feature);
  return {
    self,
    ...(isSeen("issues") ? { issues: `${self}/issues` } : {}),
    ...(isSeen("merge_requests") ? { merge_requests: `${self}/merge_requests` } : {}),
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`,
  };
}
