import {
  bitmap,
  collection,
  type Field,
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

export const IdentityRecord = field.object({
  provider: field.text,
  extern_uid: field.text,
  saml_provider_id: field.nullable(field.whole),
  /** The group whose single sign-on it belongs to; never shown. */
  group_id_for_saml: field.optional(field.whole),
});
export type IdentityRecord = RecordOf<typeof IdentityRecord>;

const avatar: Field<UploadedAvatar> = field.object({
  blob: field.text,
  filename: field.text,
  content_type: field.text,
  size: field.whole,
});

/** A person or a bot (users-and-auth 4). Fields are named as on the wire. */
export const UserRecord = record({
  id: field.whole,
  username: field.text,
  name: field.text,
  email: field.text,
  state: field.oneOf(...userStates),
  /** `human` accounts can sign in; the others belong to the platform or a project. */
  user_type: field.oneOf("human", "project_bot", "group_bot", "ghost", "alert_bot", "support_bot"),
  namespace_id: field.whole,
  created_by_id: field.nullable(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
  confirmed_at: field.nullable(field.moment),
  last_activity_on: field.nullable(field.day),
  current_sign_in_at: field.nullable(field.moment),
  last_sign_in_at: field.nullable(field.moment),
  sign_in_count: field.whole,
  /** argon2id; null: no password opens this account. */
  password_digest: field.nullable(field.text),
  password_expires_at: field.nullable(field.moment),
  /** SHA-256 of the token in the link that was mailed to choose a password. Left out without one. */
  reset_password_digest: field.optional(field.text),
  /** The moment of that mail. */
  reset_password_sent_at: field.optional(field.moment),
  /** SHA-256 of the token in the link that confirms `unconfirmed_email`. Left out without one. */
  confirmation_digest: field.optional(field.text),
  /** The moment of that mail. */
  confirmation_sent_at: field.optional(field.moment),
  /** Number of times that a new password or a change of state has ended every session of the user; left out for none. */
  sessions_ended: field.optional(field.whole),
  is_admin: field.flag,
  is_auditor: field.flag,
  external: field.flag,
  private_profile: field.flag,
  can_create_group: field.flag,
  projects_limit: field.whole,
  two_factor_enabled: field.flag,
  bio: field.text,
  location: field.nullable(field.text),
  organization: field.nullable(field.text),
  pronouns: field.nullable(field.text),
  public_email: field.nullable(field.text),
  /** null: the primary address; `_private`: the address that hides it. */
  commit_email: field.nullable(field.text),
  skype: field.text,
  linkedin: field.text,
  twitter: field.text,
  discord: field.text,
  website_url: field.text,
  job_title: field.text,
  note: field.nullable(field.text),
  theme_id: field.whole,
  color_scheme_id: field.whole,
  preferred_language: field.text,
  view_diffs_file_by_file: field.flag,
  shared_runners_minutes_limit: field.nullable(field.whole),
  extra_shared_runners_minutes_limit: field.nullable(field.whole),
  provisioned_by_group_id: field.nullable(field.whole),
  identities: field.listOf(IdentityRecord),
  /** Left out until one is uploaded. */
  avatar: field.optional(avatar),
  /** An address that becomes the primary one when it is confirmed. */
  unconfirmed_email: field.optional(field.text),
  /** Id of the primary address in lists of addresses; see `primaryEmailId`. */
  email_id: field.optional(field.whole),
});
export type UserRecord = RecordOf<typeof UserRecord>;

/** Accounts that the platform needs for itself. */
export function isInternal({ user_type }: UserRecord): boolean {
  return user_type === "ghost" || user_type === "alert_bot" || user_type === "support_bot";
}

/** True when the user can act as an administrator: neither bots nor users who are not active can. */
export function isAdministrator({ is_admin, state, user_type }: UserRecord): boolean {
  return is_admin && state === "active" && user_type === "human";
}

export const users = collection("users", UserRecord, {
  indexes: {
    username: unique((user) => user.username.toLowerCase()),
    email: unique((user) => user.email.toLowerCase()),
    public_email: multi((user) => (user.public_email === null ? [] : [user.public_email.toLowerCase()])),
    identity: multi((user) => user.identities.map(identityKey)),
    saml_group: multi((user) =>
      user.identities.map(({ group_id_for_saml: groupId }) => groupId).filter((groupId) => groupId !== undefined),
    ),
    reset_password_digest: multi((user) => present(user.reset_password_digest)),
    confirmation_digest: multi((user) => present(user.confirmation_digest)),
    state: bitmap((user) => [user.state]),
    user_type: bitmap((user) => [user.user_type]),
    flag: bitmap((user) => flagsOf(user)),
    id: ordered((user) => user.id),
    name: ordered((user) => user.name.toLowerCase()),
    username_order: ordered((user) => user.username.toLowerCase()),
    created_at: ordered((user) => user.created_at),
    updated_at: ordered((user) => user.updated_at),
    last_activity_on: ordered((user) => user.last_activity_on ?? ""),
    storage: sum((user) => [`user ${user.id}` satisfies StorageOwner, user.avatar?.size ?? 0]),
    words: text({ name: (user) => user.name, username: (user) => user.username }),
  },
  blobsOf: ({ avatar }) => (avatar === undefined ? [] : [avatar.blob]),
  secrets: { password_digest: { replace: null }, reset_password_digest: "omit", confirmation_digest: "omit" },
  references: { namespace_id: "namespaces" },
});

/** The keys of an optional text. */
function present(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** An identity as one key: no provider has a line feed in its name. */
export function identityKey(identity: { provider: string; extern_uid: string }): string {
  return `${identity.provider}\n${identity.extern_uid}`;
}

/** Yes-or-no attributes that lists filter by. */
function flagsOf(user: UserRecord): string[] {
  const flags: string[] = [];
  if (user.is_admin) flags.push("admin");
  if (isAdministrator(user)) flags.push("active_admin");
  if (user.is_auditor) flags.push("auditor");
  if (user.external) flags.push("external");
  if (user.private_profile) flags.push("private_profile");
  if (user.two_factor_enabled) flags.push("two_factor");
  if (user.identities.some((identity) => identity.provider.startsWith("ldap"))) flags.push("ldap");
  return flags;
}
