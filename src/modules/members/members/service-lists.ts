import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { notFoundLowerCase } from "../../../domain/failure.ts";
import { type Page, type PageRequest, pageOfAll, totalCountMax } from "../../../domain/page.ts";
import { sourceKey } from "../../../domain/source.ts";
import type { Condition } from "../../../store/index.ts";
import {
  Access,
  type EffectiveMembership,
  hiddenLinksOf,
  type MemberList,
  type MemberListFilter,
  refOf,
  type Source,
} from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type MembershipRecord, memberships } from "./records.ts";
import type { ListAllMembers, ListMembers } from "./schema.ts";
import { isMinimalVisible } from "./service-direct-memberships.ts";

/** `GET /SRC/:id/members`: direct memberships, oldest first. */
export function listDirectMembers(
  context: Context,
  caller: Caller,
  source: Source,
  params: Omit<Static<typeof ListMembers>, "id">,
  page: PageRequest,
): Page<MembershipRecord> {
  const { store } = context;
  const access = context.get(Access);
  const where: Condition<typeof memberships.indexes>[] = [
    { index: "source", key: sourceKey(refOf(source)) },
    { not: { index: "expires_at", from: undefined, to: access.today } },
  ];
  if (!isMinimalVisible(context)) where.push({ not: { index: "flag", key: "minimal" } });
  if (params.user_ids !== undefined) where.push({ anyOf: holders(params.user_ids) });
  if (params.skip_users !== undefined) where.push({ not: { anyOf: holders(params.skip_users) } });
  const matchesUser = matcherOf(caller, params.query);
  const matches =
    matchesUser === undefined
      ? undefined
      : ({ user_id }: MembershipRecord) => {
          const user = findUser(store, user_id);
          return user !== undefined && matchesUser(user);
        };
  return store.page(memberships, { where, order: "id", descending: false, page, matches });
}

/** `GET /SRC/:id/members/all`: one entry for each user who is a member in any way that the caller may know of. */
export function listAllMembers(
  context: Context,
  caller: Caller,
  source: Source,
  params: Omit<Static<typeof ListAllMembers>, "id">,
  page: PageRequest,
): Page<EffectiveMembership> {
  const { edition, store } = context;
  const access = context.get(Access);
  const state = includesTier(edition, "premium") ? params.state : undefined;
  const view = viewFor(context, caller, source, state);
  const matches = matcherOf(caller, params.query);
  if (params.user_ids !== undefined) {
    const ways = [...new Set(params.user_ids)]
      .filter((id) => isMatch(context, id, matches))
      .map((id) => access.wayOf(id, refOf(source), view))
      .filter((way) => way !== undefined)
      .sort((one, other) => one.row.id - other.row.id);
    return pageOfAll(ways, page);
  }
  const roster = access.roster(refOf(source), view);
  const skipped = page.kind === "offset" ? (page.page - 1) * page.perPage : 0;
  const wanted = { from: skipped, count: page.perPage };
  const found = matches === undefined ? slice(roster, wanted) : search(context, roster, wanted, matches);
  const total = found.total > totalCountMax ? undefined : found.total;
  const items = found.places.map((place) => roster.at(store, place));
  return { items, total, hasNext: skipped + items.length < found.total && items.length > 0, next: undefined };
}

/** `GET /SRC/:id/members/all/:user_id`. Throws 404 for a user without a membership that the caller may know of. */
export function getEffectiveMembership(
  context: Context,
  caller: Caller,
  source: Source,
  userId: number,
): EffectiveMembership {
  const way = context.get(Access).wayOf(userId, refOf(source), viewFor(context, caller, source, undefined));
  if (way === undefined) throw notFoundLowerCase();
  return way;
}

function viewFor(context: Context, caller: Caller, source: Source, state: MemberListFilter["state"]): MemberListFilter {
  return { hiddenLinks: hiddenLinksOf(context, caller, source), state, isMinimalShown: isMinimalVisible(context) };
}

interface Wanted {
  readonly from: number;
  readonly count: number;
}

function slice({ size }: MemberList, { from, count }: Wanted) {
  const places = Array.from({ length: Math.max(0, Math.min(count, size - from)) }, (_, at) => from + at);
  return { places, total: size };
}

function search(
  { store }: Context,
  roster: MemberList,
  { from, count }: Wanted,
  matches: (user: UserRecord) => boolean,
) {
  const places: number[] = [];
  let total = 0;
  for (let place = 0; place < roster.size; place += 1) {
    const user = findUser(store, roster.at(store, place).row.user_id);
    if (user === undefined || !matches(user)) continue;
    if (total >= from && places.length < count) places.push(place);
    total += 1;
    if (total > totalCountMax && places.length === count) break;
  }
  return { places, total };
}

function isMatch({ store }: Context, userId: number, matches: ((user: UserRecord) => boolean) | undefined): boolean {
  const user = findUser(store, userId);
  return user !== undefined && (matches === undefined || matches(user));
}

/**
 * Part of name or username, or the whole public e-mail address, for administrators also the one of the account, whatever the
 * case. Nothing for no filter.
 */
function matcherOf({ user }: Caller, query: string | undefined): ((user: UserRecord) => boolean) | undefined {
  const wanted = query?.trim().toLowerCase();
  if (!wanted) return undefined;
  return ({ name, username, email, public_email }) =>
    name.toLowerCase().includes(wanted) ||
    username.toLowerCase().includes(wanted) ||
    public_email?.toLowerCase() === wanted ||
    (user?.is_admin === true && email.toLowerCase() === wanted);
}

function holders(userIds: readonly number[]): Condition<typeof memberships.indexes>[] {
  return userIds.map((key) => ({ index: "user_id", key }));
}
