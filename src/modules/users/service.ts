import type { Static } from "@sinclair/typebox";
import type { Caller, SignedInCaller } from "../../domain/caller.ts";
import { toDateTime } from "../../domain/datetime.ts";
import { includesTier } from "../../domain/edition.ts";
import { conflict, invalid, notFound } from "../../domain/failure.ts";
import { hashPassword } from "../../domain/password.ts";
import type { Store, Transaction } from "../../store/index.ts";
import { settingsOf } from "../application-settings/index.ts";
import { recordAuditEvent } from "../audit-events/index.ts";
import type { Context } from "../context.ts";
import { createPersonalNamespace, findNamespaceByPath } from "../namespaces/index.ts";
import { identityKey, type UserRecord, users } from "./collection.ts";
import type { CreateUser } from "./schema.ts";
import { type UserDraft, validateUser } from "./validation.ts";

export function findUser(store: Store, id: number): UserRecord | undefined {
  return store.of(users).get(id);
}

/** Throws 404 `User Not Found`. */
export function getUser(store: Store, id: number): UserRecord {
  const user = findUser(store, id);
  if (user === undefined) throw notFound("User");
  return user;
}

/**
 * `POST /users` (users-and-auth 7): the user, the personal namespace and the audit event in one transaction.
 * Throws 400 with attribute errors, 409 for an address or a username that is taken.
 */
export async function createUser(
  context: Context,
  caller: SignedInCaller,
  params: Static<typeof CreateUser>,
): Promise<UserRecord> {
  const draft = draftUser(context, caller, params);
  const { password, ...attributes } = draft;
  checkNewUser(context.store, draft);
  const digest = password === undefined ? null : await hashPassword(password);
  return context.store.transact((tx) => {
    // While the password was hashed, the caller may have lost the right, and others may have taken the names.
    caller.confirm?.();
    checkNewUser(context.store, draft);
    const user = insertUser(tx, { ...attributes, password_digest: digest });
    recordCreation(tx, context, caller, user);
    return user;
  });
}

/** The administrator of a new store, id 1. The password comes later: hashing must not delay the start. */
export function createRootUser(tx: Transaction, context: Context, caller: Caller): UserRecord {
  const now = toDateTime(context.clock.now());
  const root = insertUser(tx, {
    ...userDefaults(now),
    email: "root@outpost.test",
    name: "Administrator",
    username: "root",
    is_admin: true,
    confirmed_at: now,
  });
  recordCreation(tx, context, caller, root);
  return root;
}

export function setPasswordDigest(tx: Transaction, user: UserRecord, digest: string): void {
  tx.update(users, { ...user, password_digest: digest });
}

function recordCreation(tx: Transaction, context: Context, caller: Caller, user: UserRecord): void {
  recordAuditEvent(tx, context, caller, {
    event: "user_created",
    entity: { type: "User", id: user.id, path: user.username },
    target: { type: "User", id: user.id, details: user.name },
    act: { add: "user", custom_message: `User ${user.username} created` },
  });
}

function insertUser(tx: Transaction, attributes: Omit<UserRecord, "id" | "namespace_id">): UserRecord {
  const id = tx.nextId("users");
  const namespace = createPersonalNamespace(tx, { id, name: attributes.name, username: attributes.username });
  return tx.insert(users, { id, ...attributes, namespace_id: namespace.id });
}

/** Rules of the model first (400), then what is taken: the e-mail address before the username (409). */
function checkNewUser(store: Store, draft: UserDraft): void {
  const errors = validateUser(draft);
  if (errors !== undefined) throw invalid(errors);
  const [identity] = draft.identities;
  const documents = store.of(users);
  if (identity !== undefined && documents.by.identity.find(identityKey(identity)).size > 0) {
    throw invalid({ "identities.extern_uid": ["has already been taken"] });
  }
  if (documents.by.email.find(draft.email) !== undefined) throw conflict("Email has already been taken");
  const namespace = findNamespaceByPath(store, draft.username);
  if (namespace?.kind === "group") throw invalid({ username: ["has already been taken"] });
  if (namespace !== undefined) throw conflict("Username has already been taken");
}

function draftUser(context: Context, caller: SignedInCaller, params: Static<typeof CreateUser>): UserDraft {
  const now = toDateTime(context.clock.now());
  const isPremium = includesTier(context.edition, "premium");
  const external = params.external ?? false;
  const { provider, extern_uid } = params;
  return {
    ...userDefaults(now),
    ...passwordOf(params),
    email: params.email.trim().toLowerCase(),
    name: params.name.trim(),
    username: params.username,
    created_by_id: caller.user.id,
    confirmed_at: params.skip_confirmation === true ? now : null,
    is_admin: params.admin ?? false,
    is_auditor: isPremium && (params.auditor ?? false),
    external,
    private_profile: params.private_profile ?? settingsOf(context.store).user_defaults_to_private_profile,
    can_create_group: !external && (params.can_create_group ?? true),
    projects_limit: external ? 0 : (params.projects_limit ?? 100_000),
    bio: params.bio ?? "",
    location: params.location ?? null,
    organization: params.organization ?? null,
    pronouns: params.pronouns ?? null,
    public_email: params.public_email || null,
    commit_email: params.commit_email || null,
    skype: params.skype ?? "",
    linkedin: params.linkedin ?? "",
    twitter: params.twitter ?? "",
    discord: params.discord ?? "",
    website_url: params.website_url ?? "",
    job_title: params.job_title ?? "",
    note: params.note ?? null,
    theme_id: params.theme_id ?? 1,
    color_scheme_id: params.color_scheme_id ?? 1,
    view_diffs_file_by_file: params.view_diffs_file_by_file ?? false,
    shared_runners_minutes_limit: (isPremium ? params.shared_runners_minutes_limit : null) ?? null,
    extra_shared_runners_minutes_limit: (isPremium ? params.extra_shared_runners_minutes_limit : null) ?? null,
    identities: provider && extern_uid ? [{ provider, extern_uid, saml_provider_id: null }] : [],
  };
}

/** A random or a reset password is told to nobody, so there is nothing to hash and nothing to check. */
function passwordOf(params: Static<typeof CreateUser>): { password?: string } {
  if (params.reset_password === true || params.force_random_password === true) return {};
  return { password: params.password ?? "" };
}

/** What a user is without anybody saying so (users-and-auth 7). */
export function userDefaults(now: string): Omit<UserRecord, "id" | "namespace_id" | "email" | "name" | "username"> {
  return {
    state: "active",
    user_type: "human",
    created_by_id: null,
    created_at: now,
    updated_at: now,
    confirmed_at: null,
    last_activity_on: null,
    current_sign_in_at: null,
    last_sign_in_at: null,
    sign_in_count: 0,
    password_digest: null,
    password_expires_at: null,
    is_admin: false,
    is_auditor: false,
    external: false,
    private_profile: false,
    can_create_group: true,
    projects_limit: 100_000,
    two_factor_enabled: false,
    bio: "",
    location: null,
    organization: null,
    pronouns: null,
    public_email: null,
    commit_email: null,
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    job_title: "",
    note: null,
    theme_id: 1,
    color_scheme_id: 1,
    preferred_language: "en",
    view_diffs_file_by_file: false,
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    provisioned_by_group_id: null,
    identities: [],
  };
}

/** Notes the day of a user's last request, lazily; nothing is done when it is noted already. */
export function noteActivity(store: Store, user: UserRecord, today: string): void {
  if (user.last_activity_on !== today) store.touch(users, { ...user, last_activity_on: today });
}
