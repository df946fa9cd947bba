import { type Scope, scopes } from "../../../domain/scopes.ts";
import { StartError } from "../../../domain/start-error.ts";
import { parseCalendarDate } from "../../../lib/datetime.ts";
import { nearest } from "../../../lib/text/nearest.ts";
import type { presentAccessToken, presentNewAccessToken } from "../../../modules/accounts/access-tokens/index.ts";
import { printJson, printTable } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { CallRefused } from "../../running-server.ts";
import { type NamedUser, type StoreAccess, userNamed, withStore, wrongUse } from "../../store-access.ts";
import type { StoreFlags } from "../../store-command.ts";

export interface CreateFlags extends StoreFlags {
  /** A username or id. */
  readonly user: string;
  /** A comma-separated list. */
  readonly scopes: string;
  readonly name: string;
  readonly expiresAt: string | undefined;
}

/** Creates an access token. Prints the token once on stdout, and the rest on stderr. Throws the errors of `withStore`. */
export async function createToken({ user: given, ...flags }: CreateFlags): Promise<void> {
  const values = { name: flags.name, scopes: checkScopes(flags.scopes), ...expiryOf("token create", flags.expiresAt) };
  await withStore(flags, async (store) => {
    const user = await userNamed(store, given);
    const made = await store.call({ method: "POST", path: `/users/${user.id}/personal_access_tokens`, values });
    await printToken(made as NewToken, user, flags.json, "created");
  });
}

/** The answer of the operations. */
type Token = ReturnType<typeof presentAccessToken>;
type NewToken = ReturnType<typeof presentNewAccessToken>;

export interface ListFlags extends StoreFlags {
  readonly user: string | undefined;
  /** True to list revoked and expired tokens too. */
  readonly all: boolean;
}

/** Lists every access token, or those of one user. The server does not store the secret texts. */
export async function listTokens({ user: given, all, ...flags }: ListFlags): Promise<void> {
  await withStore(flags, async (store) => {
    const user = given === undefined ? {} : { user_id: String((await userNamed(store, given)).id) };
    const values = { ...user, ...(all ? {} : { state: "active" }) };
    const found: Token[] = [];
    for await (const page of store.pages({ method: "GET", path: "/personal_access_tokens", values })) {
      found.push(...(page as Token[]));
    }
    if (flags.json) await printJson(found);
    else await printTable(head, found.map(rowFor(await usernames(store))));
  });
}

const head = ["id", "user", "name", "scopes", "expires", "last used", "state"];

/** Returns the usernames of all users by their ids. */
async function usernames(store: StoreAccess): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for await (const page of store.pages({ method: "GET", path: "/users", values: { order_by: "id", sort: "asc" } })) {
    for (const { id, username } of page as readonly NamedUser[]) names.set(id, username);
  }
  return names;
}

function rowFor(names: ReadonlyMap<number, string>): (token: Token) => string[] {
  return ({ id, user_id, name, scopes: granted, expires_at, last_used_at, active, revoked }) => [
    ...[
      String(id),
      names.get(user_id) ?? String(user_id),
      name,
      granted.length === scopes.length ? "all" : granted.join(","),
    ],
    ...[expires_at ?? "never", last_used_at?.slice(0, 10) ?? "never"],
    active ? "active" : revoked ? "revoked" : "expired",
  ];
}

export interface RevokeFlags extends StoreFlags {
  readonly id: string;
}

/** Revokes a token. */
export async function revoke({ id, ...flags }: RevokeFlags): Promise<void> {
  const path = pathOf("token revoke", id);
  await withStore(flags, async (store) => {
    const before = await tokenWith(store, id);
    await store.call({ method: "DELETE", path });
    if (flags.json) await printJson(await tokenWith(store, id));
    else printMessage(`${before.name} (id ${before.id}) is revoked${before.revoked ? ", as it was before" : ""}`);
  });
}

export interface RotateFlags extends RevokeFlags {
  readonly expiresAt: string | undefined;
}

/** Replaces a token: revokes it and prints the new one once on stdout. */
export async function rotate({ id, expiresAt, ...flags }: RotateFlags): Promise<void> {
  const values = expiryOf("token rotate", expiresAt);
  const path = `${pathOf("token rotate", id)}/rotate`;
  await withStore(flags, async (store) => {
    const before = await tokenWith(store, id);
    const user = await userNamed(store, String(before.user_id));
    await printToken((await store.call({ method: "POST", path, values })) as NewToken, user, flags.json, "rotated");
  });
}

async function printToken({ token, ...entity }: NewToken, user: NamedUser, json: boolean, what: string): Promise<void> {
  if (json) await printJson({ ...entity, token });
  else await print(`${token}\n`);
  const granted = entity.scopes.join(", ");
  printMessage(`${what} for ${user.username} (id ${user.id}): ${granted}, until ${entity.expires_at}; shown only once`);
}

async function tokenWith(store: StoreAccess, id: string): Promise<Token> {
  try {
    return (await store.call({ method: "GET", path: `/personal_access_tokens/${Number(id)}` })) as Token;
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 404) throw error;
    throw new StartError(`no token has the id ${id}`, "outpost token list", { cause: error });
  }
}

function pathOf(command: string, id: string): string {
  if (!/^\d{1,15}$/.test(id))
    throw wrongUse(command, `${JSON.stringify(id)} is not an id; outpost token list shows them`);
  return `/personal_access_tokens/${Number(id)}`;
}

function checkScopes(given: string): Scope[] {
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

function expiryOf(command: string, given: string | undefined): { readonly expires_at?: string } {
  if (given === undefined) return {};
  if (parseCalendarDate(given) !== undefined) return { expires_at: given };
  throw wrongUse(command, `--expires-at is ${JSON.stringify(given)}; expected a date such as 2027-01-31`);
}
