import { accessLevelName } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { holderKey } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import {
  accessRequestEvents,
  findSource,
  memberEvents,
  recordOf,
  refOf,
  type Source,
  sourcePathOf,
} from "../../core/access/index.ts";
import { type AuditEntry, recordAuditEvent } from "../../core/audit-events/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { accessRequests } from "../access-requests/records.ts";
import type { CheckedDraft } from "./levels.ts";
import { type MembershipRecord, memberships } from "./records.ts";

/**
 * Makes a user a member, with the audit event. It replaces a row that has expired or is hidden by the edition, and a pending
 * access request is used up. `isCreator`: the user has made the source, so nobody has added them.
 */
export function insertMembership(
  tx: Transaction,
  context: Context,
  caller: Caller,
  source: Source,
  user: Pick<UserRecord, "id" | "name">,
  { access_level, expires_at, isCreator = false }: CheckedDraft & { readonly isCreator?: boolean },
): MembershipRecord {
  const { store, clock } = context;
  const ref = refOf(source);
  const key = holderKey(ref, user.id);
  const stale = store.of(memberships).by.holder.find(key);
  if (stale !== undefined) removeMembership(tx, context, caller, store.of(memberships).get(stale) as MembershipRecord);
  const request = store.of(accessRequests).by.holder.find(key);
  const granted = request === undefined ? undefined : store.of(accessRequests).get(request);
  if (granted !== undefined) {
    tx.remove(accessRequests, granted.id);
    publish(tx, context, accessRequestEvents.deleted, { caller, before: granted, after: undefined, isGranted: true });
  }
  const now = toDateTime(clock.now());
  const row = tx.insert(memberships, {
    id: tx.nextId("memberships"),
    source_type: ref.type,
    source_id: ref.id,
    user_id: user.id,
    access_level,
    state: "active",
    expires_at: expires_at ?? null,
    created_by_id: isCreator ? null : (caller.user?.id ?? null),
    created_at: now,
    updated_at: now,
  });
  recordMemberEvent(tx, context, caller, source, user, {
    event: "member_created",
    act: {
      add: "user_access",
      as: accessLevelName(access_level),
      member_id: row.id,
      ...(row.expires_at === null ? {} : { expiry_to: row.expires_at }),
      custom_message: "Membership created",
    },
  });
  publish(tx, context, memberEvents.created, { caller, before: undefined, after: row });
  return row;
}

/** Changes level and expiry; without an event, and without a change, when both are what they were. */
export function updateMembership(
  tx: Transaction,
  context: Context,
  caller: Caller,
  source: Source,
  user: UserRecord,
  row: MembershipRecord,
  { access_level, expires_at = row.expires_at }: CheckedDraft,
): MembershipRecord {
  if (row.access_level === access_level && row.expires_at === expires_at) return row;
  const updated_at = toDateTime(context.clock.now());
  const updated = tx.update(memberships, { ...row, access_level, expires_at, updated_at });
  recordMemberEvent(tx, context, caller, source, user, {
    event: "member_updated",
    act: {
      change: "access_level",
      from: accessLevelName(row.access_level),
      to: accessLevelName(access_level),
      as: accessLevelName(access_level),
      expiry_from: row.expires_at,
      expiry_to: expires_at,
      member_id: row.id,
      custom_message: "Membership updated",
    },
  });
  publish(tx, context, memberEvents.updated, { caller, before: row, after: updated });
  return updated;
}

/** Ends a membership, with the audit event. `unassigns`: the user is taken off the issues there, too. */
export function removeMembership(
  tx: Transaction,
  context: Context,
  caller: Caller,
  row: MembershipRecord,
  unassigns = false,
): void {
  tx.remove(memberships, row.id);
  publish(tx, context, memberEvents.deleted, { caller, before: row, after: undefined, unassigns });
  const source = findSource(context.store, { type: row.source_type, id: row.source_id });
  const user = findUser(context.store, row.user_id);
  if (source === undefined || user === undefined) return;
  recordMemberEvent(tx, context, caller, source, user, {
    event: "member_destroyed",
    act: { remove: "user_access", member_id: row.id, custom_message: "Membership destroyed" },
  });
}

/** An event about a membership (members-and-access 7). */
export function recordMemberEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  source: Source,
  user: Pick<UserRecord, "id" | "name">,
  { event, act }: Pick<AuditEntry, "event" | "act">,
): void {
  recordAuditEvent(tx, context, caller, {
    event,
    act,
    entity: {
      type: "group" in source ? "Group" : "Project",
      id: recordOf(source).id,
      path: sourcePathOf(context.store, source),
    },
    target: { type: "User", id: user.id, details: user.name },
  });
}
