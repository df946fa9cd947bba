import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { Failure, forbidden } from "../../../domain/failure.ts";
import {
  Access,
  canReadGroup,
  isLastOwner,
  levelIn,
  namespacesOf,
  recordOf,
  requireLevel,
  type Source,
} from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { groupSettingsOf, groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { MembershipRecord } from "./records.ts";

/** The level that it takes to change who is a member (members-and-access 4.7). */
export const managingLevels = { group: accessLevels.owner, project: accessLevels.maintainer } as const;

function managingLevelOf(source: Source) {
  return "group" in source ? managingLevels.group : managingLevels.project;
}

export function canManageMembers(context: Context, caller: Caller, source: Source): boolean {
  return levelIn(context, caller, source) >= managingLevelOf(source);
}

/**
 * Throws 403 for callers who see a private group only because of something below it: its members are not theirs to see
 * (members-and-access 4.1).
 */
export function requireMemberReader(context: Context, caller: Caller, source: Source): void {
  if ("group" in source) {
    if (!canReadGroup(context, caller.user, source.group)) throw forbidden();
    return;
  }
  const { visibility } = recordOf(source);
  if (visibility === "public" || (visibility === "internal" && caller.user?.external === false)) return;
  requireLevel(context, caller, source, accessLevels.guest);
}

/** Throws 403 for callers who may not grant or revoke these levels: only owners manage owners. */
export function requireMemberManager(
  context: Context,
  caller: Caller,
  source: Source,
  ...levels: readonly number[]
): void {
  requireLevel(context, caller, source, managingLevelOf(source));
  if (levels.includes(accessLevels.owner)) requireLevel(context, caller, source, accessLevels.owner);
}

/** Throws 405 in a project whose group forbids to add members to projects. */
export function requireUnlockedMembership({ store, edition }: Context, source: Source): void {
  if ("group" in source || !includesTier(edition, "premium")) return;
  const isLocked = namespacesOf(store, source).some(({ id }) => {
    const group = store.of(groups).get(id);
    return group !== undefined && groupSettingsOf(group).membership_lock;
  });
  if (isLocked) throw new Failure("not_allowed", { message: "405 Method Not Allowed" });
}

/** The last owner of a group, or the owner of the personal namespace: their membership cannot be changed. */
export function isProtected(context: Context, source: Source, row: MembershipRecord): boolean {
  const { store } = context;
  const access = context.get(Access);
  if ("project" in source) return namespacesOf(store, source)[0]?.owner_id === row.user_id;
  if (row.access_level !== accessLevels.owner) return false;
  return isLastOwner(store, source.group.id, row.user_id, access.today, (id) => isPerson(context, id));
}

/** Throws 403 for memberships that cannot be changed. */
export function requireUnprotected(context: Context, source: Source, row: MembershipRecord): void {
  if (isProtected(context, source, row)) throw forbidden();
}

export function isBot({ user_type }: UserRecord): boolean {
  return user_type === "project_bot" || user_type === "group_bot";
}

export function isPerson({ store }: Context, userId: number): boolean {
  const user = findUser(store, userId);
  return user !== undefined && !isBot(user);
}
