import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  groupId,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pathText,
  searchText,
  text,
  upload,
} from "../../../domain/parameters.ts";
import { visibilities } from "../../../domain/visibility.ts";
import { branchProtection, branchProtectionDefaults } from "../../core/application-settings/index.ts";
import { customAttributeFilters, withCustomAttributes } from "../../core/custom-attributes/index.ts";

const limit = { minimum: 0, maximum: 2147483647 };

/** The settings that an owner can change, at creation and later (groups-and-projects 2.3). */
const settings = {
  description: optional(text()),
  visibility: optional(oneOf(visibilities)),
  request_access_enabled: optional(boolean()),
  membership_lock: optional(boolean({ description: "premium" })),
  share_with_group_lock: optional(boolean()),
  require_two_factor_authentication: optional(boolean()),
  two_factor_grace_period: optional(integer(limit)),
  project_creation_level: optional(oneOf(["noone", "owner", "maintainer", "developer", "administrator"])),
  subgroup_creation_level: optional(oneOf(["owner", "maintainer"])),
  auto_devops_enabled: optional(nullable(boolean())),
  emails_disabled: optional(boolean({ deprecated: true })),
  emails_enabled: optional(boolean()),
  mentions_disabled: optional(nullable(boolean())),
  lfs_enabled: optional(boolean()),
  prevent_sharing_groups_outside_hierarchy: optional(boolean({ description: "top-level groups" })),
  prevent_forking_outside_group: optional(boolean({ description: "premium" })),
  enabled_git_access_protocol: optional(oneOf(["all", "ssh", "http"], { description: "top-level groups" })),
  default_branch: optional(nullable(text())),
  default_branch_protection: optional(branchProtection()),
  default_branch_protection_defaults: optional(branchProtectionDefaults()),
  shared_runners_minutes_limit: optional(nullable(integer(limit))),
  extra_shared_runners_minutes_limit: optional(nullable(integer(limit))),
  avatar: optional(nullable(upload({ description: "an image of at most 200 KiB" }))),
  organization_id: optional(integer({ description: "1 is the only one" })),
  file_template_project_id: optional(nullable(integer())),
};

export const CreateGroup = Type.Object({
  name: text(),
  path: text(),
  parent_id: optional(integer({ description: "the group that it becomes a subgroup of" })),
  ...settings,
});

const direction = ["asc", "desc"] as const;

/** Parameters of every list of groups (2.2). */
const listed = {
  skip_groups: optional(list(integer(), { split: true, description: "ids that are left out" })),
  all_available: optional(
    boolean({ description: "every group that one sees; by default true for administrators, else only one's own" }),
  ),
  search: optional(searchText("part of name or path")),
  visibility: optional(oneOf(visibilities)),
  owned: optional(boolean({ description: "true: those that one owns" })),
  min_access_level: optional(oneOf([5, 10, 15, 20, 30, 40, 50])),
  order_by: optional(oneOf(["name", "path", "id", "similarity"])),
  sort: optional(oneOf(direction)),
  statistics: optional(boolean({ description: "administrators" })),
  ...withCustomAttributes,
};

export const ListGroups = Type.Object({
  ...listed,
  search: optional(searchText("part of name, path or full path")),
  top_level_only: optional(boolean()),
  ...customAttributeFilters,
});

export const ListSubgroups = Type.Object({ id: groupId(), ...listed });

export const UpdateGroup = Type.Object({
  id: groupId(),
  name: optional(text()),
  path: optional(text()),
  ...settings,
  shared_runners_setting: optional(oneOf(["enabled", "disabled_and_overridable", "disabled_and_unoverridable"])),
  max_artifacts_size: optional(nullable(integer({ maximum: 2147483647, description: "megabytes; administrators" }))),
  math_rendering_limits_enabled: optional(boolean()),
  lock_math_rendering_limits_enabled: optional(boolean()),
});

export const DeleteGroup = Type.Object({
  id: groupId(),
  permanently_remove: optional(boolean({ description: "without effect: a group is always gone at once" })),
  full_path: optional(pathText({ description: "without effect" })),
});

export const TransferGroup = Type.Object({
  id: groupId(),
  group_id: optional(integer({ description: "the new parent; without it the group comes to the top level" })),
});

export const GetGroup = Type.Object({
  id: groupId(),
  ...withCustomAttributes,
  with_projects: optional(boolean({ description: "false leaves `projects` and `shared_projects` out" })),
});

/** The parameters of both creation and update. */
export type GroupSettingsGiven = Static<ReturnType<typeof settingsObject>>;
const settingsObject = () => Type.Object(settings);
