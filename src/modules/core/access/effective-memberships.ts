/** The memberships that a user has in a source, directly and through groups. */

import { type AccessLevel, accessLevels, lowerLevel } from "../../../domain/access-level.ts";
import { holderKey, type SourceRef, sourceKey } from "../../../domain/source.ts";
import { spend } from "../../../domain/work-budget.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { type GroupLinkRecord, groupLinks } from "../../groups-and-projects/shares/records.ts";
import { isExpired, type MembershipRecord, memberships } from "../../members/members/records.ts";
import { selfAndAncestors } from "../namespaces/index.ts";

/** Rows of another place, or of the source itself, that make members of the source (members-and-access 1). */
export interface MembershipOrigin {
  readonly kind: "direct" | "inherited" | "invited";
  /** The group or project of the row. */
  readonly source: SourceRef;
  /** The share by which an invited group came in. */
  readonly link: GroupLinkRecord | undefined;
}

/** One membership that counts in a source, with the level that it gives there. */
export interface EffectiveMembership {
  readonly channel: MembershipOrigin;
  readonly row: MembershipRecord;
  readonly level: AccessLevel;
}

/** The steps to find an origin, and to look for a user's membership through one. */
const originSteps = 40;
const lookUpSteps = 25;

/** All channels into a group or project, the direct one first, then from the nearest ancestor up, then the invited. */
export function membershipOriginsOf(store: Store, source: SourceRef, today: CalendarDate): MembershipOrigin[] {
  const inherited = inheritedOriginsOf(store, source);
  const invited = [source, ...inherited.map((each) => each.source)].flatMap((each) =>
    invitedOriginsOf(store, each, today),
  );
  return [{ kind: "direct", source, link: undefined }, ...inherited, ...invited];
}

/** The channels that a group or project has without those of the groups above it. */
export function ownMembershipOriginsOf(store: Store, source: SourceRef, today: CalendarDate): MembershipOrigin[] {
  return [{ kind: "direct", source, link: undefined }, ...invitedOriginsOf(store, source, today)];
}

function inheritedOriginsOf(store: Store, source: SourceRef): MembershipOrigin[] {
  return ancestorsOf(store, source).map((each) => ({ kind: "inherited", source: each, link: undefined }));
}

/** The channels through the shares of one group or project. */
function invitedOriginsOf(store: Store, source: SourceRef, today: CalendarDate): MembershipOrigin[] {
  const origins: MembershipOrigin[] = [];
  for (const linkId of store.of(groupLinks).by.source.find(sourceKey(source))) {
    const link = store.of(groupLinks).get(linkId);
    if (link === undefined || isExpired(link, today)) continue;
    const invited = selfAndAncestors(store, link.group_id);
    spend(originSteps * invited.length);
    for (const { id } of invited) origins.push({ kind: "invited", source: { type: "group", id }, link });
  }
  return origins;
}

/**
 * The effective membership that a row gives through an origin; undefined if the row gives none or has expired. Rows
 * that wait for approval count on request.
 */
export function membershipThrough(
  channel: MembershipOrigin,
  row: MembershipRecord,
  today: CalendarDate,
  isAwaitingCounted: boolean,
): EffectiveMembership | undefined {
  if (isExpired(row, today) || (row.state === "awaiting" && !isAwaitingCounted)) return undefined;
  if (channel.kind !== "direct" && row.access_level < accessLevels.guest) return undefined;
  const limit = channel.link?.group_access ?? accessLevels.owner;
  return { channel, row, level: lowerLevel(row.access_level, limit) };
}

/** The active ways of one user, the highest level first; among equals the nearest. */
export function effectiveMembershipsOf(
  store: Store,
  userId: number,
  source: SourceRef,
  today: CalendarDate,
): EffectiveMembership[] {
  return membershipsThrough(store, userId, membershipOriginsOf(store, source, today), today);
}

/** The membership of a user in the groups above that has the highest level; among equals the nearest. */
export function inheritedMembershipOf(
  store: Store,
  userId: number,
  source: SourceRef,
  today: CalendarDate,
): EffectiveMembership | undefined {
  return membershipsThrough(store, userId, inheritedOriginsOf(store, source), today)[0];
}

/** The active ways of one user through origins that are known, in the order of `effectiveMembershipsOf`. */
export function membershipsThrough(
  store: Store,
  userId: number,
  origins: readonly MembershipOrigin[],
  today: CalendarDate,
): EffectiveMembership[] {
  spend(lookUpSteps * origins.length);
  const ways: EffectiveMembership[] = [];
  for (const channel of origins) {
    const id = store.of(memberships).by.holder.find(holderKey(channel.source, userId));
    const row = id === undefined ? undefined : store.of(memberships).get(id);
    const way = row === undefined ? undefined : membershipThrough(channel, row, today, false);
    if (way !== undefined) ways.push(way);
  }
  return ways.sort((one, other) => other.level - one.level);
}

function ancestorsOf(store: Store, source: SourceRef): SourceRef[] {
  const chain =
    source.type === "group"
      ? selfAndAncestors(store, source.id).slice(1)
      : selfAndAncestors(store, store.of(projects).get(source.id)?.namespace_id ?? 0);
  return chain.filter(({ kind }) => kind === "group").map(({ id }) => ({ type: "group", id }));
}
