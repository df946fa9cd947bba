/** The list of all members of a source. */

import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import { holderKey, type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { type MembershipRecord, memberships } from "../../members/members/records.ts";
import {
  type EffectiveMembership,
  type MembershipOrigin,
  membershipOriginsOf,
  membershipThrough,
} from "./effective-memberships.ts";

/** The selection of a source's members. */
export interface MemberListFilter {
  /** Shares whose members the caller may not know of (members-and-access 4.1, rule 5). */
  readonly hiddenLinks: ReadonlySet<number>;
  /** Rows of one state only; undefined: all, where an active row counts before one that waits. */
  readonly state: MembershipRecord["state"] | undefined;
  /** The edition knows minimal access. */
  readonly isMinimalShown: boolean;
}

/** One member for each user of a source, by the membership that decides: a few bytes each, in the order of the rows' ids. */
export class MemberList {
  readonly day: CalendarDate;
  readonly channels: readonly MembershipOrigin[];
  readonly #rowIds: Uint32Array;
  readonly #levels: Uint8Array;
  readonly #channelNumbers: Uint32Array;

  constructor(day: CalendarDate, channels: readonly MembershipOrigin[], ways: readonly EffectiveMembership[]) {
    this.day = day;
    this.channels = channels;
    const numbers = new Map(channels.map((channel, number) => [channel, number]));
    this.#rowIds = Uint32Array.from(ways, ({ row }) => row.id);
    this.#levels = Uint8Array.from(ways, ({ level }) => level);
    this.#channelNumbers = Uint32Array.from(ways, ({ channel }) => numbers.get(channel) as number);
  }

  get size(): number {
    return this.#rowIds.length;
  }

  /** The size of the list in the cache, in members. */
  get weight(): number {
    return this.size + 16 * (1 + this.channels.length);
  }

  /** The way at a place of the list. */
  at(store: Store, place: number): EffectiveMembership {
    return {
      row: store.of(memberships).get(this.#rowIds[place] as number) as MembershipRecord,
      level: this.#levels[place] as AccessLevel,
      channel: this.channels[this.#channelNumbers[place] as number] as MembershipOrigin,
    };
  }
}

/** Works the list out: as long as all the channels into the source together. */
export function buildMemberList(
  store: Store,
  source: SourceRef,
  view: MemberListFilter,
  day: CalendarDate,
): MemberList {
  const channels = channelsFor(store, source, view, day);
  const best = new Map<number, EffectiveMembership>();
  for (const channel of channels) {
    for (const id of store.of(memberships).by.source.find(sourceKey(channel.source))) {
      const row = store.of(memberships).get(id);
      const way = row === undefined ? undefined : shownWay(channel, row, view, day);
      if (way === undefined) continue;
      const known = best.get(way.row.user_id);
      if (known === undefined || isStronger(way, known)) best.set(way.row.user_id, way);
    }
  }
  const ways = [...best.values()].sort((one, other) => one.row.id - other.row.id);
  return new MemberList(day, channels, ways);
}

/** The way of one user, as the whole list would have it. */
export function effectiveMembershipOf(
  store: Store,
  source: SourceRef,
  userId: number,
  view: MemberListFilter,
  day: CalendarDate,
): EffectiveMembership | undefined {
  let best: EffectiveMembership | undefined;
  for (const channel of channelsFor(store, source, view, day)) {
    const id = store.of(memberships).by.holder.find(holderKey(channel.source, userId));
    const row = id === undefined ? undefined : store.of(memberships).get(id);
    const way = row === undefined ? undefined : shownWay(channel, row, view, day);
    if (way !== undefined && (best === undefined || isStronger(way, best))) best = way;
  }
  return best;
}

function channelsFor(
  store: Store,
  source: SourceRef,
  { hiddenLinks }: MemberListFilter,
  day: CalendarDate,
): MembershipOrigin[] {
  return membershipOriginsOf(store, source, day).filter(({ link }) => link === undefined || !hiddenLinks.has(link.id));
}

function shownWay(
  channel: MembershipOrigin,
  row: MembershipRecord,
  view: MemberListFilter,
  day: CalendarDate,
): EffectiveMembership | undefined {
  if (view.state !== undefined && row.state !== view.state) return undefined;
  if (!view.isMinimalShown && row.access_level === accessLevels.minimal) return undefined;
  return membershipThrough(channel, row, day, true);
}

/** Whether `one` takes precedence. Of equals the earlier one stays: direct, then the nearest, then the invited. */
function isStronger(one: EffectiveMembership, other: EffectiveMembership): boolean {
  if (one.row.state !== other.row.state) return one.row.state === "active";
  return one.level > other.level;
}
