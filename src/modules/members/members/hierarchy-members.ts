/** The members of a group and of all below it, for seats. */

import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import {
  Access,
  type EffectiveMembership,
  membershipThrough,
  ownMembershipOriginsOf,
  watchSources,
} from "../../core/access/index.ts";
import { selfAndAncestors, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { memberships } from "./records.ts";

/** Kinds of membership in a hierarchy; the first one that applies is shown (members-and-access 6). */
const membershipTypes = ["group_member", "project_member", "group_invite", "project_invite"] as const;
type MembershipType = (typeof membershipTypes)[number];

/** A member of a top-level group, of anything below it, or of a group that was invited to one of those. */
export interface HierarchyMember {
  readonly userId: number;
  readonly type: MembershipType;
  /** The highest level anywhere in the hierarchy. */
  readonly level: AccessLevel;
  /** The creation time of the first membership that counts. */
  readonly joinedAt: DateTime;
}

interface Hierarchy {
  readonly day: CalendarDate;
  readonly occupants: ReadonlyMap<number, HierarchyMember>;
  /** Groups outside of it whose members it counts. */
  readonly invited: ReadonlySet<number>;
}

/** The most hierarchies whose members are cached. */
const cachedMax = 16;

/** Caches the members of hierarchies until something there changes or the day ends. */
class Hierarchies {
  readonly #store: Store;
  readonly #cached = new Map<number, Hierarchy>();

  constructor(store: Store) {
    this.#store = store;
    watchSources(store, (source) => this.#forgetThoseWith(source));
    store.watch(groups, (before, after) => {
      if (before !== undefined && before.parent_id !== after?.parent_id) this.#cached.clear();
    });
    store.watch(projects, (before, after) => {
      if (before !== undefined && before.namespace_id !== after?.namespace_id) this.#cached.clear();
    });
  }

  of(rootId: number, day: CalendarDate): Hierarchy {
    const cached = this.#cached.get(rootId);
    if (cached?.day === day) return cached;
    const hierarchy = surveyed(this.#store, rootId, day);
    if (this.#cached.size >= cachedMax) this.#cached.delete(this.#cached.keys().next().value as number);
    this.#cached.set(rootId, hierarchy);
    return hierarchy;
  }

  #forgetThoseWith({ type, id }: SourceRef): void {
    if (this.#cached.size === 0) return;
    const namespaceId = type === "group" ? id : this.#store.of(projects).get(id)?.namespace_id;
    const rootId = namespaceId === undefined ? undefined : selfAndAncestors(this.#store, namespaceId).at(-1)?.id;
    for (const [cachedId, { invited }] of this.#cached) {
      if (rootId === undefined || cachedId === rootId || (type === "group" && invited.has(id)))
        this.#cached.delete(cachedId);
    }
  }
}

export const HierarchyMembers = serviceKey("hierarchy-members", ({ store }) => new Hierarchies(store));

/** All members of a top-level group's hierarchy from guest on, in any state of the account. */
export function hierarchyMembersOf(context: Context, rootId: number): ReadonlyMap<number, HierarchyMember> {
  return context.get(HierarchyMembers).of(rootId, context.get(Access).today).occupants;
}

/** Whether a user with this level takes a seat: active people, in ultimate beyond guests. */
export function isBillable({ edition }: Context, user: UserRecord, level: AccessLevel): boolean {
  if (user.state !== "active" || user.user_type !== "human") return false;
  return includesTier(edition, "ultimate") ? level > accessLevels.guest : level >= accessLevels.guest;
}

function surveyed(store: Store, rootId: number, day: CalendarDate): Hierarchy {
  const occupants = new Map<number, HierarchyMember>();
  const invited = new Set<number>();
  const groupIds = selfAndDescendants(store, rootId);
  const survey = (source: SourceRef) => {
    // The walk of the groups above counts their members, and those whom they invited.
    for (const channel of ownMembershipOriginsOf(store, source, day)) {
      if (channel.kind === "invited") invited.add(channel.source.id);
      for (const id of store.of(memberships).by.source.find(sourceKey(channel.source))) {
        const row = store.of(memberships).get(id);
        const way = row === undefined ? undefined : membershipThrough(channel, row, day, false);
        if (way !== undefined && way.level >= accessLevels.guest) note(occupants, way, source);
      }
    }
  };
  for (const id of groupIds) {
    survey({ type: "group", id });
    for (const projectId of store.of(projects).by.namespace_id.find(id) ?? [])
      survey({ type: "project", id: projectId });
  }
  return { day, occupants, invited };
}

function note(
  occupants: Map<number, HierarchyMember>,
  { row, level, channel }: EffectiveMembership,
  source: SourceRef,
): void {
  const type: MembershipType = channel.kind === "invited" ? `${source.type}_invite` : `${source.type}_member`;
  const known = occupants.get(row.user_id);
  occupants.set(row.user_id, {
    userId: row.user_id,
    type: known === undefined || isFirst(type, known.type) ? type : known.type,
    level: known === undefined || level > known.level ? level : known.level,
    joinedAt: known === undefined || row.created_at < known.joinedAt ? row.created_at : known.joinedAt,
  });
}

function isFirst(one: MembershipType, other: MembershipType): boolean {
  return membershipTypes.indexOf(one) < membershipTypes.indexOf(other);
}
