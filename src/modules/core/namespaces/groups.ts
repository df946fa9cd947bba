import type { Visibility } from "../../../domain/visibility.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text } from "../../../store/index.ts";

/** What an owner can set (groups-and-projects 2.3); a record keeps what differs from `initialGroupSettings`. */
export interface GroupSettings {
  readonly request_access_enabled: boolean;
  readonly membership_lock: boolean;
  readonly share_with_group_lock: boolean;
  readonly require_two_factor_authentication: boolean;
  readonly two_factor_grace_period: number;
  readonly project_creation_level: "noone" | "owner" | "maintainer" | "developer" | "administrator";
  readonly subgroup_creation_level: "owner" | "maintainer";
  readonly auto_devops_enabled: boolean | null;
  readonly emails_enabled: boolean;
  readonly mentions_disabled: boolean | null;
  readonly lfs_enabled: boolean;
  readonly prevent_sharing_groups_outside_hierarchy: boolean;
  readonly prevent_forking_outside_group: boolean;
  readonly default_branch: string | null;
  readonly default_branch_protection: number;
  /** As given, when somebody did. */
  readonly default_branch_protection_defaults: Readonly<Record<string, unknown>> | null;
  readonly shared_runners_setting: "enabled" | "disabled_and_overridable" | "disabled_and_unoverridable";
  readonly shared_runners_minutes_limit: number | null;
  readonly extra_shared_runners_minutes_limit: number | null;
  readonly file_template_project_id: number | null;
  readonly wiki_access_level: "disabled" | "private" | "enabled";
}

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
  default_branch_protection: 2,
  default_branch_protection_defaults: null,
  shared_runners_setting: "enabled",
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
  file_template_project_id: null,
  wiki_access_level: "enabled",
};

/** An uploaded picture; `blob` is its hash in the store's blobs. */
export interface AvatarRecord {
  readonly filename: string;
  readonly content_type: string;
  readonly blob: string;
}

/**
 * A group (groups-and-projects 2). Its namespace record has the same id, name, path and parent; they are changed
 * together, by `namespaces/tree.ts` alone.
 */
export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly parent_id: number | null;
  readonly description: string;
  readonly visibility: Visibility;
  readonly settings: Partial<GroupSettings>;
  readonly avatar: AvatarRecord | null;
  readonly creator_id: number | null;
  /** For runners of the old registration; shown to owners. */
  readonly runners_token: string;
  readonly repository_storage: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  /** Its deletion was accepted: nobody sees it any more. */
  readonly is_being_deleted?: true;
}

export const groups = collection<GroupRecord>()(
  "groups",
  {
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
    words: text({ name: (group) => group.name, path: (group) => group.path }),
    name_backwards: ordered((group) => backwards(group.name.toLowerCase())),
    path_backwards: ordered((group) => backwards(group.path.toLowerCase())),
  },
  { blobsOf: (group) => (group.avatar === null ? [] : [group.avatar.blob]) },
);

export function nameKey(parentId: number | null, name: string): string {
  return `${parentId ?? 0}\n${name.toLowerCase()}`;
}

/** Sorts the other way round: names can fall while the ids that break ties still rise (groups-and-projects 2.2). */
function backwards(text: string): string {
  let key = "";
  for (let at = 0; at < text.length; at += 1) key += String.fromCharCode(0xffff - text.charCodeAt(at));
  // What goes on comes before what ends here.
  return `${key}\uffff`;
}

/** All settings of a group as they are in force. */
export function groupSettingsOf(group: GroupRecord): GroupSettings {
  return { ...initialGroupSettings, ...group.settings };
}
