import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../../domain/caller.ts";
import { includesTier } from "../../../../domain/edition.ts";
import { forbidden, unauthenticated } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import type { Condition, Store } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { Access } from "../../access/index.ts";
import { settingsOf } from "../../application-settings/index.ts";
import { customAttributeConditions } from "../../custom-attributes/index.ts";
import { canReadAsAdministrator } from "../policy.ts";
import { identityKey, type UserRecord, users } from "../records.ts";
import type { ListUsers } from "../schema.ts";
import { searchUsers } from "./service-search.ts";

type Parameters = Static<typeof ListUsers>;
type UserCondition = Condition<typeof users.indexes>;

const orders = {
  id: "id",
  name: "name",
  username: "username_order",
  created_at: "created_at",
  updated_at: "updated_at",
} as const;

/**
 * `GET /users` (users-and-auth 5). Throws 403 for the anonymous without `username` or where `public` is restricted, and for identity searches by
 * others than administrators. Every filter is answered by an index.
 */
export function listUsers(context: Context, caller: Caller, params: Parameters, page: PageRequest): Page<UserRecord> {
  const isAdministrator = canReadAsAdministrator(context, caller);
  if (!isAdministrator && params.extern_uid !== undefined)
    throw caller.user === undefined ? unauthenticated() : forbidden();
  const isClosed = settingsOf(context).restricted_visibility_levels.includes("public");
  if (caller.user === undefined && (!params.username || isClosed)) {
    throw forbidden("Not authorized to access /api/v4/users");
  }
  const where = [
    ...publicConditions(params),
    ...(isAdministrator ? administratorConditions(context, params) : [...hiddenFromOthers, ...hiddenByTimes(params)]),
  ];
  const isOrderGiven = params.order_by !== undefined || params.sort !== undefined || page.kind === "keyset";
  const order = orders[params.order_by ?? "id"];
  const descending = params.sort !== "asc";
  const search = params.search === undefined ? undefined : searchUsers(context.store, params.search, isAdministrator);
  if (search === undefined) return context.store.page(users, { where, order, descending, page });
  where.push(search.condition);
  return isOrderGiven
    ? context.store.page(users, { where, order, descending, page })
    : context.store.page(users, { where, order: "name", descending: false, page, first: search.exact });
}

/** The one user with this name, whatever its case. */
export function findUserByUsername(store: Store, username: string): UserRecord | undefined {
  const documents = store.of(users);
  const id = documents.by.username.find(username.toLowerCase());
  return id === undefined ? undefined : documents.get(id);
}

/** The user whom a login names: a username or a primary address, whatever its case. */
export function findUserByLogin(store: Store, login: string): UserRecord | undefined {
  const named = findUserByUsername(store, login);
  if (named !== undefined) return named;
  const documents = store.of(users);
  const id = documents.by.email.find(login.toLowerCase());
  return id === undefined ? undefined : documents.get(id);
}

/** Users whom only administrators are shown. */
export const hiddenFromOthers: readonly UserCondition[] = [
  { not: { index: "state", key: "banned" } },
  { not: { index: "state", key: "ldap_blocked" } },
];

const internalTypes: UserCondition = {
  anyOf: [
    { index: "user_type", key: "ghost" },
    { index: "user_type", key: "alert_bot" },
    { index: "user_type", key: "support_bot" },
  ],
};
const projectBots: UserCondition = {
  anyOf: [
    { index: "user_type", key: "project_bot" },
    { index: "user_type", key: "group_bot" },
  ],
};
const blockedStates: UserCondition = {
  anyOf: [
    { index: "state", key: "blocked" },
    { index: "state", key: "ldap_blocked" },
  ],
};

/** Conditions that every caller may set. An empty username is no filter. */
function publicConditions(params: Parameters): UserCondition[] {
  const where: UserCondition[] = [];
  if (params.username) where.push({ index: "username", key: params.username.toLowerCase() });
  if (params.public_email) where.push({ index: "public_email", key: params.public_email.toLowerCase() });
  if (params.active === true) where.push({ index: "state", key: "active" }, { not: internalTypes });
  if (params.blocked === true) where.push(blockedStates);
  if (params.external === true) where.push({ index: "flag", key: "external" });
  if (params.exclude_active === true) where.push({ not: { index: "state", key: "active" } });
  if (params.exclude_external === true) where.push({ not: { index: "flag", key: "external" } });
  if (params.humans === true) where.push({ index: "user_type", key: "human" });
  if (params.exclude_humans === true) where.push({ not: { index: "user_type", key: "human" } });
  if (params.exclude_internal === true) where.push({ not: internalTypes });
  if (params.without_project_bots === true) where.push({ not: projectBots });
  if (params.created_after !== undefined || params.created_before !== undefined) {
    where.push({ index: "created_at", from: params.created_after, to: params.created_before });
  }
  return where;
}

/** Private profiles do not show these times, and so are not found by them. */
function hiddenByTimes(params: Parameters): UserCondition[] {
  const isByTime =
    params.created_after !== undefined ||
    params.created_before !== undefined ||
    params.order_by === "created_at" ||
    params.order_by === "updated_at";
  return isByTime ? [{ not: { index: "flag", key: "private_profile" } }] : [];
}

/** Conditions that administrators may set; from others these parameters are ignored. */
function administratorConditions(context: Context, params: Parameters): UserCondition[] {
  const where: UserCondition[] = [];
  const { extern_uid, provider } = params;
  if (extern_uid !== undefined && provider !== undefined)
    where.push({ index: "identity", key: identityKey({ extern_uid, provider }) });
  if (params.two_factor === "enabled") where.push({ index: "flag", key: "two_factor" });
  if (params.two_factor === "disabled") where.push({ not: { index: "flag", key: "two_factor" } });
  where.push(...customAttributeConditions(context.store, "User", params.custom_attributes));
  if (params.without_projects === true) where.push({ not: { ids: context.get(Access).usersWithProjects() } });
  if (params.admins === true) where.push({ index: "flag", key: "admin" });
  if (!includesTier(context.edition, "premium")) return where;
  if (params.auditors === true) where.push({ index: "flag", key: "auditor" });
  if (params.skip_ldap === true) where.push({ not: { index: "flag", key: "ldap" } });
  if (params.saml_provider_id !== undefined) where.push({ ids: [] });
  return where;
}
