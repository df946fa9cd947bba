import { accessLevels } from "../../../domain/access-level.ts";
import { sourceKey } from "../../../domain/source.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { selfAndAncestors } from "../namespaces/index.ts";

/** True when an owner counts as a person who looks after a group: bots do not. */
type Counts = (userId: number) => boolean;

/** Owners of today, or only those without an expiry date: others leave the group without an owner when they expire. */
export type OwnerSpan = "today" | "for good";

/**
 * True when the user owns the group today, no other user owns it for good, and no group above has an owner for good
 * (members-and-access 4.4, 4.5).
 */
export function isLastOwner(
  store: Store,
  groupId: number,
  userId: number,
  today: CalendarDate,
  counts: Counts,
): boolean {
  return (
    hasOwner(store, groupId, { today, span: "today", counts: (id) => id === userId }) &&
    lacksOwnerWithout(store, groupId, userId, { today, span: "for good", counts })
  );
}

/**
 * True when the group would have no owner today without this user: no other user owns it,
 * and no group above has an owner.
 */
export function hasNoOwnerWithout(
  store: Store,
  groupId: number,
  userId: number,
  today: CalendarDate,
  counts: Counts,
): boolean {
  return lacksOwnerWithout(store, groupId, userId, { today, span: "today", counts });
}

/** The group of a membership, if only its user owns the group, directly and through the groups above (users-and-auth 9). */
export function findGroupOwnedAlone(store: Store, membershipId: number, wanted: Wanted): GroupRecord | undefined {
  const row = store.of(memberships).get(membershipId);
  if (row === undefined || row.source_type !== "group" || row.access_level !== accessLevels.owner) return undefined;
  if (row.state !== "active" || isExpired(row, wanted.today)) return undefined;
  const others = withoutUser(wanted, row.user_id);
  const isShared = selfAndAncestors(store, row.source_id).some(({ id }) => hasOwner(store, id, others));
  return isShared ? undefined : store.of(groups).get(row.source_id);
}

/** The owners to look for. */
interface Wanted {
  readonly today: CalendarDate;
  readonly span: OwnerSpan;
  readonly counts: Counts;
}

function withoutUser(wanted: Wanted, userId: number): Wanted {
  return { ...wanted, counts: (id) => id !== userId && wanted.counts(id) };
}

function lacksOwnerWithout(store: Store, groupId: number, userId: number, wanted: Wanted): boolean {
  const [, ...above] = selfAndAncestors(store, groupId);
  return !hasOwner(store, groupId, withoutUser(wanted, userId)) && !above.some(({ id }) => hasOwner(store, id, wanted));
}

function hasOwner(store: Store, groupId: number, { today, span, counts }: Wanted): boolean {
  for (const id of store.of(memberships).by.owners.find(sourceKey({ type: "group", id: groupId }))) {
    const row = store.of(memberships).get(id);
    if (row === undefined || row.state !== "active" || isExpired(row, today)) continue;
    if ((span === "today" || row.expires_at === null) && counts(row.user_id)) return true;
  }
  return false;
}
