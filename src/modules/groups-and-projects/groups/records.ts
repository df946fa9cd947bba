import { visibilities } from "../../../domain/visibility.ts";
import { bitmap, collection, field, multi, ordered, type RecordOf, record, sum, text } from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";

/** The settings of an owner (groups-and-projects 2.3); a record keeps those that differ from `initialGroupSettings`. */
export const GroupSettings = field.object({
  request_access_enabled: field.flag,
  membership_lock: field.flag,
  share_with_group_lock: field.flag,
  require_two_factor_authentication: field.flag,
  two_factor_grace_period: field.whole,
  project_creation_level: field.oneOf("noone", "owner", "maintainer", "developer", "administrator"),
  subgroup_creation_level: field.oneOf("owner", "maintainer"),
  auto_devops_enabled: field.nullable(field.flag),
  emails_enabled: field.flag,
  mentions_disabled: field.nullable(field.flag),
  lfs_enabled: field.flag,
  prevent_sharing_groups_outside_hierarchy: field.flag,
  prevent_forking_outside_group: field.flag,
  default_branch: field.nullable(field.text),
  /** null until it is set: that of the instance holds. */
  default_branch_protection: field.nullable(field.whole),
  /** The hash that was sent; null if none was, or a number after it. */
  default_branch_protection_defaults: field.nullable(field.mapOf(field.anything)),
  shared_runners_setting: field.oneOf("enabled", "disabled_and_overridable", "disabled_and_unoverridable"),
  shared_runners_minutes_limit: field.nullable(field.whole),
  extra_shared_runners_minutes_limit: field.nullable(field.whole),
  file_template_project_id: field.nullable(field.whole),
  wiki_access_level: field.oneOf("disabled", "private", "enabled"),
  max_artifacts_size: field.nullable(field.whole),
  math_rendering_limits_enabled: field.flag,
  lock_math_rendering_limits_enabled: field.flag,
  enabled_git_access_protocol: field.oneOf("all", "ssh", "http"),
});
export type GroupSettings = RecordOf<typeof GroupSettings>;

export const initialGroupSettings: GroupSettings = {
  request_access_enabled: true,
  membership_lock: false,
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: "developer",
  subgroup_creation_level: "maintainer",
  auto_devops_enabled: null,
  emails_enabled: true,
  mentions_disabled: null,
  lfs_enabled: true,
  prevent_sharing_groups_outside_hierarchy: false,
  prevent_forking_outside_group: false,
  default_branch: null,
  default_branch_protection: null,
  default_branch_protection_defaults: null,
  shared_runners_setting: "enabled",
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
  file_template_project_id: null,
  wiki_access_level: "enabled",
  max_artifacts_size: null,
  math_rendering_limits_enabled: true,
  lock_math_rendering_limits_enabled: false,
  enabled_git_access_protocol: "all",
};

/** An uploaded picture; `blob` is its hash in the store's blobs. */
export const AvatarRecord = field.object({
  filename: field.text,
  content_type: field.text,
  blob: field.text,
  /** Bytes. */
  size: field.whole,
});
export type AvatarRecord = RecordOf<typeof AvatarRecord>;

/**
 * A group (groups-and-projects 2). Its namespace record has the same id, name, path and parent; they are changed
 * together, by `core/namespaces` alone.
 */
export const GroupRecord = record({
  id: field.whole,
  name: field.text,
  path: field.text,
  parent_id: field.nullable(field.whole),
  description: field.text,
  visibility: field.oneOf(...visibilities),
  settings: field.partial(GroupSettings),
  avatar: field.nullable(AvatarRecord),
  creator_id: field.nullable(field.whole),
  /** The token of the old registration of runners; owners see it. */
  runners_token: field.text,
  repository_storage: field.text,
  created_at: field.moment,
  updated_at: field.moment,
  /** Its deletion was accepted: it is hidden from all users. */
  is_being_deleted: field.optional(field.oneOf(true)),
});
export type GroupRecord = RecordOf<typeof GroupRecord>;

export const groups = collection("groups", GroupRecord, {
  indexes: {
    parent_id: multi((group) => [group.parent_id ?? 0]),
    /** Among the subgroups of one parent no name comes twice; on the top level it may. */
    name_in_parent: multi((group) => [nameKey(group.parent_id, group.name)]),
    visibility: bitmap((group) => [group.visibility]),
    level: bitmap((group) => [group.parent_id === null ? "top" : "sub"]),
    deletion: bitmap((group) => (group.is_being_deleted === true ? ["accepted"] : [])),
    repository_storage: bitmap((group) => [group.repository_storage]),
    id: ordered((group) => group.id),
    name: ordered((group) => group.name.toLowerCase()),
    path: ordered((group) => group.path.toLowerCase()),
    storage: sum((group) => ["server" satisfies StorageOwner, group.avatar?.size ?? 0]),
    words: text({ name: (group) => group.name, path: (group) => group.path }),
    name_backwards: ordered((group) => backwards(group.name.toLowerCase())),
    path_backwards: ordered((group) => backwards(group.path.toLowerCase())),
  },
  blobsOf: (group) => (group.avatar === null ? [] : [group.avatar.blob]),
  secrets: { runners_token: "renew" },
  sequence: "namespaces",
  references: { id: "namespaces", parent_id: "groups" },
});

export function nameKey(parentId: number | null, name: string): string {
  return `${parentId ?? 0}\n${name.toLowerCase()}`;
}

/** Sorts the other way round: names can fall while the ids that break ties still rise (groups-and-projects 2.2). */
function backwards(text: string): string {
  let key = "";
  for (let at = 0; at < text.length; at += 1) key += String.fromCharCode(0xffff - text.charCodeAt(at));
  // A key that continues comes before one that ends here.
  return `${key}\uffff`;
}

/** All settings of a group as they are in force. */
export function groupSettingsOf(group: GroupRecord): GroupSettings {
  return { ...initialGroupSettings, ...group.settings };
}
