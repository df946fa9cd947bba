import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../domain/caller.ts";
import { dayMs, toCalendarDate } from "../../domain/datetime.ts";
import { notFound, unauthenticated } from "../../domain/failure.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Condition } from "../../store/index.ts";
import type { Context } from "../context.ts";
import { findUser } from "../users/index.ts";
import { type AccessTokenRecord, accessTokens, neverExpires } from "./collection.ts";
import type { ListAccessTokens } from "./schema.ts";

type Parameters = Static<typeof ListAccessTokens>;
type TokenCondition = Condition<typeof accessTokens.indexes>;

const orders = {
  created: "created_at",
  expires: "expires_at",
  last_used: "last_used_at",
  name: "name",
} as const;

/** `GET /personal_access_tokens` (users-and-auth 17): everybody's for administrators, for others their own. */
export function listAccessTokens(
  context: Context,
  caller: SignedInCaller,
  params: Parameters,
  page: PageRequest,
): Page<AccessTokenRecord> {
  const where = [...ownerConditions(context, caller, params), ...filterConditions(context, params)];
  const search = params.search?.toLowerCase();
  return context.store.page(accessTokens, {
    where,
    ...orderOf(params.sort),
    page,
    matches: search === undefined ? undefined : (token) => token.name.toLowerCase().includes(search),
  });
}

function orderOf(sort: Parameters["sort"]) {
  if (sort === undefined) return { order: "id", descending: false } as const;
  const [, column, direction] = /^(.+)_(asc|desc)$/.exec(sort) as unknown as [string, keyof typeof orders, string];
  return { order: orders[column], descending: direction === "desc" };
}

function ownerConditions(context: Context, caller: SignedInCaller, params: Parameters): TokenCondition[] {
  if (caller.user.is_admin) {
    if (params.user_id === undefined) return [];
    if (params.user_id === null || findUser(context.store, params.user_id) === undefined) throw notFound();
    return [{ index: "user_id", key: params.user_id }];
  }
  if (params.user_id !== undefined && params.user_id !== null && params.user_id !== caller.user.id)
    throw unauthenticated();
  return [{ index: "user_id", key: caller.user.id }, { not: { index: "flag", key: "impersonation" } }];
}

function filterConditions(context: Context, params: Parameters): TokenCondition[] {
  const where: TokenCondition[] = [];
  const today = toCalendarDate(context.clock.now());
  const isRevoked: TokenCondition = { index: "flag", key: "revoked" };
  if (params.revoked !== undefined) where.push(params.revoked ? isRevoked : { not: isRevoked });
  if (params.state === "active") {
    const tomorrow = toCalendarDate(context.clock.now() + dayMs);
    where.push({ not: isRevoked }, { index: "expires_at", from: tomorrow, to: undefined });
  }
  if (params.state === "inactive") {
    where.push({ anyOf: [isRevoked, { index: "expires_at", from: undefined, to: today }] });
  }
  if (params.created_after !== undefined || params.created_before !== undefined) {
    where.push({ index: "created_at", from: params.created_after, to: params.created_before });
  }
  if (params.last_used_after !== undefined || params.last_used_before !== undefined) {
    // A token that was never used has an empty key, and lies before no time.
    where.push({ index: "last_used_at", from: params.last_used_after ?? "0", to: params.last_used_before });
  }
  if (params.expires_after !== undefined || params.expires_before !== undefined) {
    where.push({ index: "expires_at", from: params.expires_after, to: params.expires_before ?? lastDay });
  }
  return where;
}

/** The latest day there is: below `neverExpires`, so that tokens without an end stay out. */
const lastDay = `${neverExpires.slice(0, 5)}12-31`;
