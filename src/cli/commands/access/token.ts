import type { Config } from "../../../config/config.ts";
import { nearest } from "../../../config/nearest.ts";
import { type Scope, scopes } from "../../../domain/scopes.ts";
import { StartError } from "../../../domain/start-error.ts";
import { parseCalendarDate } from "../../../lib/datetime.ts";
import {
  type AccessTokenRecord,
  accessTokens,
  presentAccessToken,
  type presentNewAccessToken,
} from "../../../modules/accounts/access-tokens/index.ts";
import { findUser } from "../../../modules/core/users/index.ts";
import type { Context } from "../../../modules/kernel/context.ts";
import { type CallValues, type OfflineOptions, withOfflineStore, wrongUse } from "../../offline-store.ts";
import { printJson, printTable } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";

export interface CreateFlags extends OfflineOptions {
  /** A username or id. */
  readonly user: string;
  /** Separated by commas. */
  readonly scopes: string;
  readonly name: string;
  readonly expiresAt: string | undefined;
}

/**
 * Makes an access token without a server: the token on stdout, told this once, and the rest on stderr. Throws
 * `StartError`, as `withOfflineStore` does.
 */
export async function createToken({ user: given, json, client, ...flags }: CreateFlags, config: Config): Promise<void> {
  const values = { name: flags.name, scopes: checkScopes(flags.scopes), ...expiryOf("token create", flags.expiresAt) };
  const call = { method: "POST", path: "/users/ID/personal_access_tokens", values, user: given } as const;
  await withOfflineStore({ config, verb: "token create", call, client }, async ({ context, perform }) => {
    await tell(context, (await perform()) as NewToken, json, "created");
  });
}

/** Answers of the operations. */
type Token = ReturnType<typeof presentAccessToken>;
type NewToken = ReturnType<typeof presentNewAccessToken>;

export interface ListFlags extends OfflineOptions {
  readonly user: string | undefined;
  /** Lists revoked and expired ones, too. */
  readonly all: boolean;
}

/** Every access token, or those of one user. The tokens themselves are nowhere. */
export async function listTokens({ user: given, all, json, client }: ListFlags, config: Config): Promise<void> {
  const values: CallValues = given === undefined ? {} : { user_id: "ID" };
  const call = { method: "GET", path: "/personal_access_tokens", values, user: given } as const;
  await withOfflineStore({ config, verb: "token list", call, client }, async ({ context, pages }) => {
    const found: Token[] = [];
    for await (const page of pages(all ? {} : { state: "active" })) found.push(...(page as Token[]));
    if (json) await printJson(found);
    else await printTable(head, found.map(rowFor(context)));
  });
}

const head = ["id", "user", "name", "scopes", "expires", "last used", "state"];

function rowFor({ store }: Context): (token: Token) => string[] {
  return ({ id, user_id, name, scopes: granted, expires_at, last_used_at, active, revoked }) => [
    ...[
      String(id),
      findUser(store, user_id)?.username ?? String(user_id),
      name,
      granted.length === scopes.length ? "all" : granted.join(","),
    ],
    ...[expires_at ?? "never", last_used_at?.slice(0, 10) ?? "never"],
    active ? "active" : revoked ? "revoked" : "expired",
  ];
}

export interface RevokeFlags extends OfflineOptions {
  readonly id: string;
}

/** Ends a token at once. */
export async function revoke({ id, json, client }: RevokeFlags, config: Config): Promise<void> {
  const call = { method: "DELETE", path: `/personal_access_tokens/${checkId("token revoke", id)}` } as const;
  await withOfflineStore({ config, verb: "token revoke", call, client }, async ({ context, perform }) => {
    const token = tokenWith(context, id);
    await perform();
    if (json) await printJson(presentAccessToken(tokenWith(context, id), { context }));
    else printMessage(`${token.name} (id ${token.id}) is revoked${token.revoked ? ", as it was before" : ""}`);
  });
}

export interface RotateFlags extends RevokeFlags {
  readonly expiresAt: string | undefined;
}

/** A new token in the place of another, which is revoked: the new one on stdout, told this once. */
export async function rotate({ id, expiresAt, json, client }: RotateFlags, config: Config): Promise<void> {
  const expiry = expiryOf("token rotate", expiresAt);
  const path = `/personal_access_tokens/${checkId("token rotate", id)}/rotate`;
  const call = { method: "POST", path, values: expiry } as const;
  await withOfflineStore({ config, verb: "token rotate", call, client }, async ({ context, perform }) => {
    tokenWith(context, id);
    await tell(context, (await perform()) as NewToken, json, "rotated");
  });
}

async function tell(context: Context, { token, ...entity }: NewToken, json: boolean, what: string): Promise<void> {
  if (json) await printJson({ ...entity, token });
  else await print(`${token}\n`);
  const username = findUser(context.store, entity.user_id)?.username;
  const granted = entity.scopes.join(", ");
  printMessage(
    `${what} for ${username} (id ${entity.user_id}): ${granted}, until ${entity.expires_at}; shown only once`,
  );
}

function tokenWith({ store }: Context, id: string): AccessTokenRecord {
  const token = store.of(accessTokens).get(Number(id));
  if (token === undefined) throw new StartError(`no token has the id ${id}`, "outpost token list");
  return token;
}

function checkId(verb: string, given: string): string {
  if (!/^\d{1,15}$/.test(given))
    throw wrongUse(verb, `${JSON.stringify(given)} is not an id; outpost token list shows them`);
  return given;
}

function checkScopes(given: string): readonly Scope[] {
  const wanted = given
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const isScope = (scope: string): scope is Scope => (scopes as readonly string[]).includes(scope);
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown === undefined) return wanted.filter(isScope);
  throw wrongUse(
    "token create",
    `${JSON.stringify(unknown)} is not a scope; the nearest is ${nearest(unknown, scopes)}`,
  );
}

function expiryOf(verb: string, given: string | undefined): { readonly expires_at?: string } {
  if (given === undefined) return {};
  if (parseCalendarDate(given) !== undefined) return { expires_at: given };
  throw wrongUse(verb, `--expires-at is ${JSON.stringify(given)}; expected a date such as 2027-01-31`);
}
