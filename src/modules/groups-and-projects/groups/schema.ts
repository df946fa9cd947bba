import { Type } from "@sinclair/typebox";
import { visibilities } from "../../../domain/visibility.ts";
import { branchProtectionDefaults } from "../../core/application-settings/index.ts";
import { customAttributesField } from "../../core/custom-attributes/index.ts";
import { AnyProject, SharedWithGroup } from "../projects/index.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const nullableInteger = () => Type.Union([Type.Integer(), Type.Null()]);
const nullableBoolean = () => Type.Union([Type.Boolean(), Type.Null()]);

const GroupStatistics = Type.Object({
  storage_size: Type.Integer(),
  repository_size: Type.Integer(),
  wiki_size: Type.Integer(),
  lfs_objects_size: Type.Integer(),
  job_artifacts_size: Type.Integer(),
  pipeline_artifacts_size: Type.Integer(),
  packages_size: Type.Integer(),
  snippets_size: Type.Integer(),
  uploads_size: Type.Integer(),
});

/**
 * groups-and-projects 2.4: entries of lists. Optional fields are for administrators, for paid tiers, or shown on
 * request.
 */
export const Group = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    full_name: Type.String(),
    full_path: Type.String(),
    web_url: Type.String(),
    description: Type.String(),
    visibility: Type.Union(visibilities.map((visibility) => Type.Literal(visibility))),
    parent_id: nullableInteger(),
    avatar_url: nullableText(),
    created_at: Type.String({ format: "date-time" }),
    request_access_enabled: Type.Boolean(),
    share_with_group_lock: Type.Boolean(),
    require_two_factor_authentication: Type.Boolean(),
    two_factor_grace_period: Type.Integer(),
    project_creation_level: Type.String(),
    subgroup_creation_level: Type.String(),
    auto_devops_enabled: nullableBoolean(),
    emails_disabled: Type.Boolean(),
    emails_enabled: Type.Boolean(),
    show_diff_preview_in_email: Type.Boolean(),
    mentions_disabled: nullableBoolean(),
    lfs_enabled: Type.Boolean(),
    archived: Type.Boolean(),
    default_branch: nullableText(),
    default_branch_protection: Type.Integer(),
    default_branch_protection_defaults: branchProtectionDefaults(),
    shared_runners_setting: Type.String(),
    organization_id: Type.Integer(),
    max_artifacts_size: nullableInteger(),
    math_rendering_limits_enabled: nullableBoolean(),
    lock_math_rendering_limits_enabled: nullableBoolean(),
    repository_storage: Type.Optional(Type.String()),
    ldap_cn: Type.Optional(Type.Null()),
    ldap_access: Type.Optional(Type.Null()),
    marked_for_deletion_on: Type.Optional(Type.Null()),
    wiki_access_level: Type.Optional(Type.String()),
    membership_lock: Type.Optional(Type.Boolean()),
    prevent_forking_outside_group: Type.Optional(Type.Boolean()),
    file_template_project_id: Type.Optional(nullableInteger()),
    ip_restriction_ranges: Type.Optional(Type.Null()),
    allowed_email_domains_list: Type.Optional(Type.Null()),
    statistics: Type.Optional(GroupStatistics),
    ...customAttributesField,
  },
  { $id: "Group" },
);

/** 2.4: a single group. */
export const GroupDetail = Type.Object(
  {
    ...Group.properties,
    shared_with_groups: Type.Array(SharedWithGroup),
    projects: Type.Optional(Type.Array(AnyProject)),
    shared_projects: Type.Optional(Type.Array(AnyProject)),
    runners_token: Type.Optional(Type.String()),
    prevent_sharing_groups_outside_hierarchy: Type.Optional(Type.Boolean()),
    enabled_git_access_protocol: Type.Optional(Type.String()),
    shared_runners_minutes_limit: Type.Optional(nullableInteger()),
    extra_shared_runners_minutes_limit: Type.Optional(nullableInteger()),
  },
  { $id: "GroupDetail" },
);
