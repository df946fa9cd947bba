import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";
import type { UploadedAvatar } from "../../kernel/uploaded-avatar.ts";

export const userStates = [
  "active",
  "blocked",
  "ldap_blocked",
  "blocked_pending_approval",
  "banned",
  "deactivated",
] as const;
export type UserState = (typeof userStates)[number];

/** `human` is anybody who can sign in; the others are accounts that the platform or a project makes for itself. */
type UserType = "human" | "project_bot" | "group_bot" | "ghost" | "alert_bot" | "support_bot";

export interface IdentityRecord {
  readonly provider: string;
  readonly extern_uid: string;
  readonly saml_provider_id: number | null;
  /** The group whose single sign-on it belongs to; told to nobody. */
  readonly group_id_for_saml?: number;
}

/** A person or a bot (users-and-auth 4). Fields are named as on the wire. */
export interface UserRecord {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly state: UserState;
  readonly user_type: UserType;
  readonly namespace_id: number;
  readonly created_by_id: number | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly confirmed_at: DateTime | null;
  readonly last_activity_on: CalendarDate | null;
  readonly current_sign_in_at: DateTime | null;
  readonly last_sign_in_at: DateTime | null;
  readonly sign_in_count: number;
  /** argon2id; null: no password opens this account. */
  readonly password_digest: string | null;
  readonly password_expires_at: DateTime | null;
  /** SHA-256 of the token in the link that was mailed to choose the first password. Left out without one. */
  readonly reset_password_digest?: string;
  readonly is_admin: boolean;
  readonly is_auditor: boolean;
  readonly external: boolean;
  readonly private_profile: boolean;
  readonly can_create_group: boolean;
  readonly projects_limit: number;
  readonly two_factor_enabled: boolean;
  readonly bio: string;
  readonly location: string | null;
  readonly organization: string | null;
  readonly pronouns: string | null;
  readonly public_email: string | null;
  /** null: the primary address; `_private`: the address that hides it. */
  readonly commit_email: string | null;
  readonly skype: string;
  readonly linkedin: string;
  readonly twitter: string;
  readonly discord: string;
  readonly website_url: string;
  readonly job_title: string;
  readonly note: string | null;
  readonly theme_id: number;
  readonly color_scheme_id: number;
  readonly preferred_language: string;
  readonly view_diffs_file_by_file: boolean;
  readonly shared_runners_minutes_limit: number | null;
  readonly extra_shared_runners_minutes_limit: number | null;
  readonly provisioned_by_group_id: number | null;
  readonly identities: readonly IdentityRecord[];
  /** Left out until one is uploaded. */
  readonly avatar?: UploadedAvatar;
  /** An address that becomes the primary one when it is confirmed. */
  readonly unconfirmed_email?: string;
  /** Id of the primary address in lists of addresses; see `primaryEmailId`. */
  readonly email_id?: number;
}

/** Accounts that the platform needs for itself. */
export function isInternal({ user_type }: UserRecord): boolean {
  return user_type === "ghost" || user_type === "alert_bot" || user_type === "support_bot";
}

/** Who can act as an administrator: neither a bot nor somebody who is kept out. */
export function administers({ is_admin, state, user_type }: UserRecord): boolean {
  return is_admin && state === "active" && user_type === "human";
}

export const users = collection<UserRecord>()(
  "users",
  {
    username: unique((user) => user.username.toLowerCase()),
    email: unique((user) => user.email.toLowerCase()),
    public_email: multi((user) => (user.public_email === null ? [] : [user.public_email.toLowerCase()])),
    identity: multi((user) => user.identities.map(identityKey)),
    saml_group: multi((user) =>
      user.identities.map(({ group_id_for_saml: groupId }) => groupId).filter((groupId) => groupId !== undefined),
    ),
    state: bitmap((user) => [user.state]),
    user_type: bitmap((user) => [user.user_type]),
    flag: bitmap((user) => flagsOf(user)),
    id: ordered((user) => user.id),
    name: ordered((user) => user.name.toLowerCase()),
    username_order: ordered((user) => user.username.toLowerCase()),
    created_at: ordered((user) => user.created_at),
    updated_at: ordered((user) => user.updated_at),
    last_activity_on: ordered((user) => user.last_activity_on ?? ""),
    words: text({ name: (user) => user.name, username: (user) => user.username }),
  },
  { blobsOf: ({ avatar }) => (avatar === undefined ? [] : [avatar.blob]) },
);

/** An identity as one key: no provider has a line feed in its name. */
export function identityKey(identity: { provider: string; extern_uid: string }): string {
  return `${identity.provider}\n${identity.extern_uid}`;
}

/** Yes-or-no attributes that lists filter by. */
function flagsOf(user: UserRecord): string[] {
  const flags: string[] = [];
  if (user.is_admin) flags.push("admin");
  if (administers(user)) flags.push("active_admin");
  if (user.is_auditor) flags.push("auditor");
  if (user.external) flags.push("external");
  if (user.private_profile) flags.push("private_profile");
  if (user.two_factor_enabled) flags.push("two_factor");
  if (user.identities.some((identity) => identity.provider.startsWith("ldap"))) flags.push("ldap");
  return flags;
}
