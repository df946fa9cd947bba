import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { Failure, invalid } from "../../../domain/failure.ts";
import { hashPassword } from "../../../domain/password.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { type UploadedAvatar, withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { moveNamespace } from "../namespaces/index.ts";
import { withAttributes } from "./attributes/attributes.ts";
import { requireFreeEmail, requireFreeIdentities, requireFreeUsername } from "./attributes/policy.ts";
import { validateUser } from "./attributes/validation.ts";
import { recordUserEvent } from "./audit.ts";
import { offerPrimaryConfirmation } from "./emails/service-confirmation.ts";
import { type EmailChange, emailChangeOf, updatePrimaryEmail } from "./emails/service-primary-email.ts";
import { userEvents } from "./events.ts";
import { type UserRecord, users } from "./records.ts";
import type { ModifyUser } from "./schema.ts";
import { getUser, withSessionsEnded } from "./service.ts";
import { mailNewPassword } from "./service-mails.ts";
import { requireRemainingAdministrator } from "./states/policy.ts";

type Parameters = Static<typeof ModifyUser>;

/**
 * `PUT /users/:id` (users-and-auth 8): the user, the personal namespace and one audit event for each attribute that
 * has one. Throws 404 for an unknown user, 400 with attribute errors, and 404 again for an address or a username that
 * is taken.
 */
export async function updateUser(context: Context, caller: Caller, params: Parameters): Promise<UserRecord> {
  planChange(context, params);
  const digest = params.password === undefined ? undefined : await hashPassword(params.password, context.passwordLife);
  return withStoredAvatar(context, params.avatar, (avatar) =>
    context.store.transact((tx) => {
      // While the password was hashed, the caller may have lost the right, and the user may have been changed or deleted.
      const change = planChange(context, params);
      const now = toDateTime(context.clock.now());
      const changed = withPicture(change.draft, params.avatar === null, avatar);
      return applyChange(tx, context, caller, change, withPassword(changed, caller, digest, now), now);
    }),
  );
}

interface PlannedChange {
  readonly user: UserRecord;
  readonly draft: UserRecord;
  readonly email: EmailChange | undefined;
}

function planChange(context: Context, params: Parameters): PlannedChange {
  const { store } = context;
  const user = getUser(store, params.id);
  const names = { name: params.name?.trim() ?? user.name, username: params.username ?? user.username };
  const draft = withAttributes(context, { ...user, ...names }, params);
  const email = emailChangeOf(store, user, params);
  const verified = email.verified;
  const wanted = { ...draft, email: email.wanted, password: params.password };
  const claim = { ownId: user.id, conflict: (message: string) => new Failure("not_found", { message }) };
  requireFreeEmail(store, email.wanted, claim);
  requireFreeUsername(store, draft.username, claim);
  const errors = validateUser(wanted, { verified, avatar: params.avatar });
  if (errors !== undefined) throw invalid(errors);
  requireFreeIdentities(store, draft.identities, user.id);
  return { user, draft, email: email.change };
}

function withPicture(user: UserRecord, isCleared: boolean, avatar: UploadedAvatar | undefined): UserRecord {
  if (avatar !== undefined) return { ...user, avatar };
  if (!isCleared) return user;
  const { avatar: _, ...others } = user;
  return others;
}

/** Others than oneself have to choose a new password at the next sign-in. */
function withPassword(user: UserRecord, caller: Caller, digest: string | undefined, now: DateTime): UserRecord {
  if (digest === undefined) return user;
  const expiresAt = caller.user?.id === user.id ? null : now;
  return withSessionsEnded({ ...user, password_digest: digest, password_expires_at: expiresAt });
}

function applyChange(
  tx: Transaction,
  context: Context,
  caller: Caller,
  { user, email }: PlannedChange,
  draft: UserRecord,
  now: DateTime,
): UserRecord {
  const withEmail = email === undefined ? draft : updatePrimaryEmail(tx, draft, email, now);
  if (Bun.deepEquals(withEmail, user)) return user;
  requireRemainingAdministrator(context.store, user, withEmail);
  const changed = tx.update(users, { ...withEmail, updated_at: now });
  const { namespace_id: id, name, username: path } = changed;
  moveNamespace(tx, context.store, { id, name, path, parent_id: null });
  const isNewPassword = changed.password_digest !== user.password_digest;
  recordChanges(tx, context, caller, user, changed);
  if (isNewPassword && caller.user?.id !== user.id) mailNewPassword(tx, context, changed);
  const after = email?.kind === "pending" ? offerPrimaryConfirmation(tx, context, changed, email.email) : changed;
  publish(tx, context, userEvents.updated, { caller, before: user, after });
  return after;
}

/** The attributes whose changes are recorded, under the names that audit-events 4 gives them. */
const audited = [
  ["name", "name", "user_name_updated"],
  ["username", "username", "user_username_updated"],
  ["email", "email address", "user_email_address_updated"],
  ["is_admin", "admin status", "user_admin_status_updated"],
  ["is_auditor", "auditor status", "user_auditor_status_updated"],
  ["external", "external status", "user_external_status_updated"],
] as const;

function recordChanges(tx: Transaction, context: Context, caller: Caller, before: UserRecord, after: UserRecord): void {
  for (const [attribute, change, event] of audited) {
    const [from, to] = [String(before[attribute]), String(after[attribute])];
    if (from === to) continue;
    const act = { change, from, to, custom_message: `Changed ${change} from ${from} to ${to}` };
    recordUserEvent(tx, context, caller, after, event, act);
  }
  if (before.password_digest === after.password_digest) return;
  const act = { change: "password", custom_message: "Changed password" };
  recordUserEvent(tx, context, caller, after, "user_password_updated", act);
}
