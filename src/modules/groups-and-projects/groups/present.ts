import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { Access, presentSharedWithGroups, projectsSharedWith } from "../../core/access/index.ts";
import { presentCustomAttributes } from "../../core/custom-attributes/index.ts";
import { fullNameOf, fullPathOf, GroupStatistics, shownRunnersToken } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { branchProtectionOf } from "../../repositories/protected-branches/index.ts";
import { listGroupProjects, type ProjectCondition, projectPresenter } from "../projects/index.ts";
import { type GroupRecord, groupSettingsOf } from "./records.ts";
import type { Group, GroupDetail } from "./schema.ts";

/** The fields that an administrator asked for in addition; ignored for others. */
export interface GroupOptions {
  readonly statistics?: boolean | undefined;
  readonly withCustomAttributes?: boolean | undefined;
}

/** The fields that a caller asked for in addition. */
export interface GroupDetailOptions extends GroupOptions {
  /** false: without `projects` and `shared_projects`. */
  readonly withProjects?: boolean | undefined;
  /** The answer to a creation leaves out what only administrators of a group see, but for its token. */
  readonly isNew?: boolean | undefined;
}

/** The most projects of each kind in a single group. */
const projectsMax = 100;

/** groups-and-projects 2.4: sizes of the projects directly in the group, without those that only projects show. */
function statisticsOf(context: Context, groupId: number) {
  const { commit_count: _, container_registry_size: __, ...sizes } = context.get(GroupStatistics).of(groupId);
  return sizes;
}

/** groups-and-projects 2.4: an entry of a list. */
export function presentGroup(
  group: GroupRecord,
  view: View,
  { statistics = false, withCustomAttributes = false }: GroupOptions = {},
): Static<typeof Group> {
  const { context, caller, baseUrl } = view;
  const { store, edition } = context;
  const isAdministrator = caller.user?.is_admin === true;
  const settings = groupSettingsOf(group);
  const fullPath = fullPathOf(store, group.id);
  return {
    id: group.id,
    name: group.name,
    path: group.path,
    full_name: fullNameOf(store, group.id),
    full_path: fullPath,
    web_url: `${baseUrl}/groups/${fullPath}`,
    description: group.description,
    visibility: group.visibility,
    parent_id: group.parent_id,
    avatar_url: groupAvatarUrl(group, baseUrl),
    created_at: group.created_at,
    request_access_enabled: settings.request_access_enabled,
    share_with_group_lock: settings.share_with_group_lock,
    require_two_factor_authentication: settings.require_two_factor_authentication,
    two_factor_grace_period: settings.two_factor_grace_period,
    project_creation_level: settings.project_creation_level,
    subgroup_creation_level: settings.subgroup_creation_level,
    auto_devops_enabled: settings.auto_devops_enabled,
    emails_disabled: !settings.emails_enabled,
    emails_enabled: settings.emails_enabled,
    show_diff_preview_in_email: true,
    mentions_disabled: settings.mentions_disabled,
    lfs_enabled: settings.lfs_enabled,
    archived: false,
    default_branch: settings.default_branch,
    ...branchProtectionOf(context, group),
    shared_runners_setting: settings.shared_runners_setting,
    organization_id: 1,
    max_artifacts_size: settings.max_artifacts_size,
    math_rendering_limits_enabled: settings.math_rendering_limits_enabled,
    lock_math_rendering_limits_enabled: settings.lock_math_rendering_limits_enabled,
    ...(isAdministrator ? { repository_storage: group.repository_storage } : {}),
    ...(includesTier(edition, "premium")
      ? {
          ldap_cn: null,
          ldap_access: null,
          marked_for_deletion_on: null,
          wiki_access_level: settings.wiki_access_level,
          membership_lock: settings.membership_lock,
          prevent_forking_outside_group: settings.prevent_forking_outside_group,
          file_template_project_id: settings.file_template_project_id,
          ip_restriction_ranges: null,
          allowed_email_domains_list: null,
        }
      : {}),
    ...(isAdministrator && statistics ? { statistics: statisticsOf(context, group.id) } : {}),
    ...(isAdministrator && withCustomAttributes
      ? presentCustomAttributes({ resource: "Group", id: group.id }, view)
      : {}),
  };
}

/** The group's own projects, and those that are shared with it, as far as the caller sees them; the newest first. */
function projectsOf({ id }: GroupRecord, view: View) {
  const { context, caller } = view;
  const page = { kind: "offset", page: 1, perPage: projectsMax } as const;
  const present = (scope: ProjectCondition) =>
    listGroupProjects(context, caller, {}, page, [scope]).items.map(projectPresenter(view, {}));
  return {
    projects: present({ index: "namespace_id", key: id }),
    shared_projects: present({ ids: projectsSharedWith(context, id) }),
  };
}

/** null until a picture is uploaded. */
function groupAvatarUrl({ id, avatar }: Pick<GroupRecord, "id" | "avatar">, baseUrl: string): string | null {
  if (avatar === null) return null;
  return `${baseUrl}/uploads/-/system/group/avatar/${id}/${encodeURIComponent(avatar.filename)}`;
}

/** 2.4: a single group, as its readers and owners see it. */
export function presentGroupDetail(
  group: GroupRecord,
  view: View,
  { withProjects = true, isNew = false, ...options }: GroupDetailOptions = {},
): Static<typeof GroupDetail> {
  const { context, caller } = view;
  const settings = groupSettingsOf(group);
  const isOwner = context.get(Access).levelInGroup(caller.user, group.id) >= accessLevels.owner;
  const isTopLevel = group.parent_id === null;
  return {
    ...presentGroup(group, view, options),
    shared_with_groups: presentSharedWithGroups({ type: "group", id: group.id }, view),
    ...(withProjects ? projectsOf(group, view) : {}),
    ...(isOwner ? { runners_token: shownRunnersToken({ group }) } : {}),
    ...(isTopLevel
      ? { prevent_sharing_groups_outside_hierarchy: settings.prevent_sharing_groups_outside_hierarchy }
      : {}),
    ...(isTopLevel && isOwner && !isNew ? { enabled_git_access_protocol: settings.enabled_git_access_protocol } : {}),
    ...(includesTier(context.edition, "premium")
      ? {
          shared_runners_minutes_limit: settings.shared_runners_minutes_limit,
          extra_shared_runners_minutes_limit: settings.extra_shared_runners_minutes_limit,
        }
      : {}),
  };
}
