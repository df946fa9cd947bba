import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound, unauthenticated } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { dayMs, toCalendarDate } from "../../../lib/datetime.ts";
import type { Condition } from "../../../store/index.ts";
import { findUser, getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type AccessTokenRecord, accessTokens, neverExpires } from "./records.ts";
import type { ListAccessTokens, ListImpersonationTokens } from "./schema.ts";

type Parameters = Static<typeof ListAccessTokens>;
type TokenCondition = Condition<typeof accessTokens.indexes>;

const orders = {
  created: "created_at",
  expires: "expires_at",
  last_used: "last_used_at",
  name: "name",
} as const;

/** `GET /personal_access_tokens` (users-and-auth 17): those of all users for administrators, else the caller's own. */
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

/** `GET /users/:user_id/impersonation_tokens` (users-and-auth 18). Throws 404 for the user. */
export function listImpersonationTokens(
  context: Context,
  { user_id, state }: Static<typeof ListImpersonationTokens>,
  page: PageRequest,
): Page<AccessTokenRecord> {
  const where: TokenCondition[] = [
    { index: "user_id", key: getUser(context.store, user_id).id },
    { index: "flag", key: "impersonation" },
    ...(state === undefined || state === "all" ? [] : stateConditions(context, state)),
  ];
  return context.store.page(accessTokens, { where, order: "id", descending: false, page });
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
  if (params.revoked !== undefined) where.push(params.revoked ? isRevoked : { not: isRevoked });
  if (params.state !== undefined) where.push(...stateConditions(context, params.state));
  if (params.created_after !== undefined || params.created_before !== undefined) {
    where.push({ index: "created_at", from: params.created_after, to: params.created_before });
  }
  if (params.last_used_after !== undefined || params.last_used_before !== undefined) {
    // A token that was never used has an empty key, which is before no time.
    where.push({ index: "last_used_at", from: params.last_used_after ?? "0", to: params.last_used_before });
  }
  if (params.expires_after !== undefined || params.expires_before !== undefined) {
    where.push({ index: "expires_at", from: params.expires_after, to: params.expires_before ?? lastDay });
  }
  return where;
}

const isRevoked: TokenCondition = { index: "flag", key: "revoked" };

/** Active is what is neither revoked nor expired. */
function stateConditions({ clock }: Context, state: "active" | "inactive"): TokenCondition[] {
  const now = clock.now();
  if (state === "active") {
    return [{ not: isRevoked }, { index: "expires_at", from: toCalendarDate(now + dayMs), to: undefined }];
  }
  return [{ anyOf: [isRevoked, { index: "expires_at", from: undefined, to: toCalendarDate(now) }] }];
}

/** The latest day there is: below `neverExpires`, so that tokens without an end stay out. */
const lastDay = `${neverExpires.slice(0, 5)}12-31`;
