import type { Static } from "@sinclair/typebox";
import { accountOf, type Caller } from "../../../domain/caller.ts";
import { conflict, invalid } from "../../../domain/failure.ts";
import { hashPassword } from "../../../domain/password.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { settingsOf } from "../application-settings/index.ts";
import { insertPersonalNamespace } from "../namespaces/index.ts";
import { withAttributes } from "./attributes/attributes.ts";
import { userDefaults } from "./attributes/defaults.ts";
import { offerFirstPassword } from "./attributes/own-password.ts";
import { requireFreeEmail, requireFreeIdentities, requireFreeUsername } from "./attributes/policy.ts";
import { type UserDraft, validateUser } from "./attributes/validation.ts";
import { recordUserEvent } from "./audit.ts";
import { userEvents } from "./events.ts";
import { type UserRecord, users } from "./records.ts";
import type { CreateUser } from "./schema.ts";

type Parameters = Static<typeof CreateUser>;

/**
 * `POST /users` (users-and-auth 7): the user, the personal namespace and the audit event in one transaction.
 * Throws 400 with attribute errors, 409 for an address or a username that is taken.
 */
export async function createUser(context: Context, caller: Caller, params: Parameters): Promise<UserRecord> {
  const draft = draftUser(context, caller, params);
  const { password, ...attributes } = draft;
  requireValidUser(context, draft, params);
  const digest = password === undefined ? null : await hashPassword(password, context.passwordLife);
  return withStoredAvatar(context, params.avatar, (avatar) =>
    context.store.transact((tx) => {
      // While the password was hashed, the caller may have lost the right, and others may have taken the names.
      requireValidUser(context, draft, params);
      const user = insertUser(tx, {
        ...attributes,
        password_digest: digest,
        ...(avatar === undefined ? {} : { avatar }),
      });
      recordCreation(tx, context, caller, user);
      const after = params.reset_password === true ? offerFirstPassword(tx, context, user) : user;
      publish(tx, context, userEvents.created, { caller, before: undefined, after });
      return after;
    }),
  );
}

/** The administrator of a new store, id 1. The password comes later: hashing must not delay the start. */
export function insertRootUser(tx: Transaction, context: Context, caller: Caller): UserRecord {
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
  publish(tx, context, userEvents.created, { caller, before: undefined, after: root });
  return root;
}

/** A user with the personal namespace that each has. */
export function insertUser(tx: Transaction, attributes: Omit<UserRecord, "id" | "namespace_id">): UserRecord {
  const id = tx.nextId("users");
  const namespace = insertPersonalNamespace(tx, { id, name: attributes.name, username: attributes.username });
  return tx.insert(users, { id, ...attributes, namespace_id: namespace.id });
}

function recordCreation(tx: Transaction, context: Context, caller: Caller, user: UserRecord): void {
  const act = { add: "user", custom_message: `User ${user.username} created` };
  recordUserEvent(tx, context, caller, user, "user_created", act);
}

/** Throws for what is taken first, even when other rules are broken: the e-mail address before the username (409). */
function requireValidUser({ store }: Context, draft: UserDraft, { avatar }: Parameters): void {
  requireFreeEmail(store, draft.email, { conflict });
  requireFreeUsername(store, draft.username, { conflict });
  const verified = new Set(draft.confirmed_at === null ? [] : [draft.email]);
  const errors = validateUser(draft, { verified, avatar });
  if (errors !== undefined) throw invalid(errors);
  requireFreeIdentities(store, draft.identities);
}

function draftUser(context: Context, caller: Caller, params: Parameters): UserDraft {
  const now = toDateTime(context.clock.now());
  const plain: UserDraft = {
    ...userDefaults(now),
    ...passwordOf(params),
    private_profile: settingsOf(context).user_defaults_to_private_profile,
    email: params.email.trim().toLowerCase(),
    name: params.name.trim(),
    username: params.username,
    created_by_id: accountOf(caller)?.id ?? null,
    confirmed_at: params.skip_confirmation === true ? now : null,
  };
  return withAttributes(context, plain, params);
}

/** A random or a reset password is shown to nobody, so there is nothing to hash and nothing to check. */
function passwordOf(params: Parameters): { password?: string } {
  if (params.reset_password === true || params.force_random_password === true) return {};
  return { password: params.password ?? "" };
}
