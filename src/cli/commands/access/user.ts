import type { Config } from "../../../config/config.ts";
import { nearest } from "../../../config/nearest.ts";
import { StartError } from "../../../domain/start-error.ts";
import type { JsonText } from "../../../lib/text/json-text.ts";
import { getUser, type UserRecord, type UserState, userStates } from "../../../modules/core/users/index.ts";
import type { Context } from "../../../modules/kernel/context.ts";
import { type CallValues, type OfflineOptions, userNamed, withOfflineStore, wrongUse } from "../../offline-store.ts";
import { printJson, printTable } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";

const generatedPasswordLength = 24;

export interface ListFlags extends OfflineOptions {
  readonly search: string | undefined;
  readonly state: string | undefined;
  readonly admins: boolean;
}

export async function listUsers({ search, state, admins, json, client }: ListFlags, config: Config): Promise<void> {
  const wantedState = userStates.find((each) => each === state);
  if (state !== undefined && wantedState === undefined) {
    throw wrongUse(
      "user list",
      `${JSON.stringify(state)} is not a state; the nearest is ${nearest(state, userStates)}`,
    );
  }
  const values = { ...(search === undefined ? {} : { search }), ...(admins ? { admins } : {}) };
  const call = { method: "GET", path: "/users", values } as const;
  await withOfflineStore({ config, verb: "user list", call, client }, async ({ context, pages }) => {
    const found: UserRecord[] = [];
    for await (const page of pages({ order_by: "id", sort: "asc" }))
      found.push(...page.map((listed) => recordOf(context, (listed as JsonText).parse())));
    const accounts = found.filter((user) => wantedState === undefined || user.state === wantedState).map(present);
    if (json) await printJson(accounts);
    else await printTable(head, accounts.map(rowOf));
  });
}

export interface NamedFlags extends OfflineOptions {
  /** A username or id. */
  readonly user: string;
}

export async function showUser({ user: given, json, client }: NamedFlags, config: Config): Promise<void> {
  const call = { method: "GET", path: "/users/ID", user: given } as const;
  await withOfflineStore({ config, verb: "user show", call, client }, async ({ context, perform }) => {
    await showAccount(recordOf(context, await perform()), json);
  });
}

/** The attributes of a new account, or the changes of one; undefined stays as it is. */
export interface Attributes {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly admin?: boolean | undefined;
  readonly external?: boolean | undefined;
}

/** The source of a password. */
export interface PasswordFlags {
  /** One is made up, and printed this once. */
  readonly randomPassword: boolean;
  /** The first line of stdin. */
  readonly passwordStdin: boolean;
}

type CreateFlags = OfflineOptions & PasswordFlags & Attributes & { readonly username: string; readonly email: string };

/** The account on stdout, or its password alone where one was made up. The address counts as confirmed. */
export async function create({ json, client, ...flags }: CreateFlags, config: Config): Promise<void> {
  const { randomPassword, passwordStdin, ...attributes } = flags;
  const given = { ...withoutHoles(attributes), name: attributes.name ?? attributes.username };
  const { password, told } = await passwordOf("user create", { randomPassword, passwordStdin });
  const confirmed = { ...given, skip_confirmation: true };
  const call = { method: "POST", path: "/users", values: { ...confirmed, ...told } } as const;
  await withOfflineStore({ config, verb: "user create", call, client }, async ({ context, perform }) => {
    const secret = password(context);
    const made = await perform(secret === undefined ? call.values : { ...confirmed, password: secret });
    const user = recordOf(context, made);
    await tell(user, randomPassword ? secret : undefined, json, "created");
  });
}

export async function modify(
  { user: given, json, client, ...attributes }: NamedFlags & Attributes,
  config: Config,
): Promise<void> {
  const wanted = withoutHoles(attributes);
  if (Object.keys(wanted).length === 0) throw wrongUse("user modify", "no change was given");
  const confirmed = wanted.email === undefined ? {} : { skip_reconfirmation: true };
  const call = {
    method: "PUT",
    path: "/users/ID",
    values: { ...wanted, ...confirmed },
    user: given,
  } as const;
  await withOfflineStore({ config, verb: "user modify", call, client }, async ({ context, perform }) => {
    await showAccount(recordOf(context, await perform()), json);
  });
}

/** Verbs that make an account active again. */
const wakingVerbs: Readonly<Record<Exclude<UserState, "active">, string>> = {
  blocked: "user unblock",
  ldap_blocked: "user unblock",
  blocked_pending_approval: "user unblock",
  banned: "user unban",
  deactivated: "user activate",
};

/** Makes an active account an administrator: the way back into a store without one. */
export async function promote({ user: given, json, client }: NamedFlags, config: Config): Promise<void> {
  const call = { method: "PUT", path: "/users/ID", values: { admin: true }, user: given } as const;
  await withOfflineStore({ config, verb: "user promote", call, client }, async ({ context, perform }) => {
    const before = userNamed(context, given);
    const { id, username, state } = before;
    if (before.user_type !== "human")
      throw new StartError(`${username} is not a human user`, "outpost user list --state active");
    if (state !== "active") {
      throw new StartError(
        `${username} is ${state}; only an active user can be an administrator`,
        `outpost ${wakingVerbs[state]} ${username}`,
      );
    }
    const user = recordOf(context, await perform());
    if (json) await printJson(present(user));
    else printMessage(`${username} (id ${id}) is an administrator${before.is_admin ? ", as before" : ""}`);
  });
}

/** A new password, made up unless it comes in on stdin; the user has to choose another one when signing in. */
export async function setPassword(
  { user: given, json, client, passwordStdin }: NamedFlags & Pick<PasswordFlags, "passwordStdin">,
  config: Config,
): Promise<void> {
  const flags = { randomPassword: !passwordStdin, passwordStdin };
  const { password } = await passwordOf("user password", flags);
  const call = { method: "PUT", path: "/users/ID", values: { password: "PASSWORD" }, user: given } as const;
  await withOfflineStore({ config, verb: "user password", call, client }, async ({ context, perform }) => {
    const secret = password(context);
    const user = recordOf(context, await perform(secret === undefined ? {} : { password: secret }));
    await tell(user, passwordStdin ? undefined : secret, json, "has a new password");
  });
}

/** Verbs that change the state of a user, as the API names them. */
type StateChange = "block" | "unblock" | "deactivate" | "activate" | "ban" | "unban";

export async function changeState(
  { change, user: given, json, client }: NamedFlags & { readonly change: StateChange },
  config: Config,
): Promise<void> {
  const call = { method: "POST", path: `/users/ID/${change}`, user: given } as const;
  await withOfflineStore({ config, verb: `user ${change}`, call, client }, async ({ context, perform }) => {
    const before = userNamed(context, given);
    await perform();
    const after = getUser(context.store, before.id);
    if (json) await printJson(present(after));
    else printMessage(`${after.username} (id ${after.id}) is ${after.state}${after === before ? ", as before" : ""}`);
  });
}

const head = ["id", "username", "name", "email", "state", "admin", "created", "last active"];

/** Named as in the API. */
function present(user: UserRecord) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    state: user.state,
    is_admin: user.is_admin,
    is_auditor: user.is_auditor,
    external: user.external,
    bot: user.user_type !== "human",
    two_factor_enabled: user.two_factor_enabled,
    created_at: user.created_at,
    confirmed_at: user.confirmed_at,
    last_activity_on: user.last_activity_on,
  };
}

type Account = ReturnType<typeof present>;

/** The record of a user that an operation answered. */
function recordOf({ store }: Context, answered: unknown): UserRecord {
  return getUser(store, (answered as Pick<UserRecord, "id">).id);
}

function rowOf({ id, username, name, email, state, is_admin, created_at, last_activity_on }: Account): string[] {
  const admin = is_admin ? "admin" : "-";
  return [String(id), username, name, email, state, admin, created_at.slice(0, 10), last_activity_on ?? "never"];
}

async function showAccount(user: UserRecord, json: boolean): Promise<void> {
  const account = present(user);
  if (json) await printJson(account);
  else
    await printTable(
      ["what", "value"],
      Object.entries(account).map(([key, value]) => [key, String(value ?? "-")]),
    );
}

async function tell(user: UserRecord, secret: string | undefined, json: boolean, what: string): Promise<void> {
  if (json) await printJson({ ...present(user), ...(secret === undefined ? {} : { password: secret }) });
  else if (secret !== undefined) await print(`${secret}\n`);
  printMessage(
    `${user.username} (id ${user.id}) ${what}${secret === undefined ? "" : "; the password is shown only once"}`,
  );
}

/**
 * The values of the equivalent API call, and the password itself once a store is open; undefined: the account gets no
 * password that is known.
 */
async function passwordOf(verb: string, { randomPassword, passwordStdin }: PasswordFlags) {
  if (!passwordStdin) {
    return {
      told: { force_random_password: true } satisfies CallValues,
      password: ({ randomness }: Context) => (randomPassword ? randomness.token(generatedPasswordLength) : undefined),
    };
  }
  const [line = ""] = (await Bun.stdin.text()).split(/\r?\n/);
  if (line === "") throw wrongUse(verb, "stdin contains no password");
  return { told: { password: "PASSWORD" } satisfies CallValues, password: () => line };
}

/** Without what is undefined. */
function withoutHoles<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
