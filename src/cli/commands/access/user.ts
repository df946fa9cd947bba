import type { Static } from "@sinclair/typebox";
import { StartError } from "../../../domain/start-error.ts";
import { systemRandomness } from "../../../lib/randomness.ts";
import { nearest } from "../../../lib/text/nearest.ts";
import type { UserWithAdmin } from "../../../modules/core/users/index.ts";
import { type UserState, userStates } from "../../../modules/core/users/records.ts";
import { printJson, printTable } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { type StoreAccess, userNamed, withStore, wrongUse } from "../../store-access.ts";
import type { StoreFlags } from "../../store-command.ts";

const generatedPasswordLength = 24;

/** A user as administrators see it in the API. */
type User = Static<typeof UserWithAdmin> & { readonly state: UserState; readonly created_at: string };

export interface ListFlags extends StoreFlags {
  readonly search: string | undefined;
  readonly state: string | undefined;
  readonly admins: boolean;
}

export async function listUsers({ search, state, admins, ...flags }: ListFlags): Promise<void> {
  const wantedState = userStates.find((each) => each === state);
  if (state !== undefined && wantedState === undefined) {
    throw wrongUse(
      "user list",
      `${JSON.stringify(state)} is not a state; the nearest is ${nearest(state, userStates)}`,
    );
  }
  const values = { order_by: "id", sort: "asc", ...withoutHoles({ search }), ...(admins ? { admins } : {}) };
  await withStore(flags, async (store) => {
    const found: User[] = [];
    for await (const page of store.pages({ method: "GET", path: "/users", values })) found.push(...(page as User[]));
    const accounts = found.filter((user) => wantedState === undefined || user.state === wantedState).map(present);
    if (flags.json) await printJson(accounts);
    else await printTable(head, accounts.map(rowOf));
  });
}

export interface NamedFlags extends StoreFlags {
  /** A username or id. */
  readonly user: string;
}

export async function showUser({ user: given, ...flags }: NamedFlags): Promise<void> {
  await withStore(flags, async (store) => showAccount(await accountOf(store, given), flags.json));
}

/** The attributes of a new account, or those to change; undefined keeps the current one. */
export interface Attributes {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly admin?: boolean | undefined;
  readonly external?: boolean | undefined;
}

/** The source of a password. */
export interface PasswordFlags {
  /** True to generate a password, which is printed once. */
  readonly randomPassword: boolean;
  /** True to read the password from the first line of stdin. */
  readonly passwordStdin: boolean;
}

interface CreateFlags extends StoreFlags, PasswordFlags {
  readonly attributes: Attributes & { readonly username: string; readonly email: string };
}

/** Creates an account and prints it on stdout, or only its generated password. The email address counts as confirmed. */
export async function create({ attributes, ...flags }: CreateFlags): Promise<void> {
  const password = await passwordOf(flags);
  const given = { ...withoutHoles(attributes), name: attributes.name ?? attributes.username, skip_confirmation: true };
  const values = { ...given, ...(password === undefined ? { force_random_password: true } : { password }) };
  await withStore(flags, async (store) => {
    const user = (await store.call({ method: "POST", path: "/users", values })) as User;
    await printUser(user, flags.randomPassword ? password : undefined, flags.json, "created");
  });
}

export async function modify(flags: NamedFlags & { readonly attributes: Attributes }): Promise<void> {
  const wanted = withoutHoles(flags.attributes);
  if (Object.keys(wanted).length === 0) throw wrongUse("user modify", "no change was given");
  const values = { ...wanted, ...(wanted.email === undefined ? {} : { skip_reconfirmation: true }) };
  await withStore(flags, async (store) => {
    const { id } = await userNamed(store, flags.user);
    await showAccount((await store.call({ method: "PUT", path: `/users/${id}`, values })) as User, flags.json);
  });
}

/** The commands that make an account active again, by its state. */
const activatingCommands: Readonly<Record<Exclude<UserState, "active">, string>> = {
  blocked: "user unblock",
  ldap_blocked: "user unblock",
  blocked_pending_approval: "user unblock",
  banned: "user unban",
  deactivated: "user activate",
};

/** Makes an active account an administrator, also when the store has no other. */
export async function promote(flags: NamedFlags): Promise<void> {
  await withStore(flags, async (store) => {
    const before = await accountOf(store, flags.user);
    const { id, username, state } = before;
    if (!(await isHuman(store, username)))
      throw new StartError(`${username} is not a human user`, "outpost user list --state active");
    if (state !== "active") {
      throw new StartError(
        `${username} is ${state}; only an active user can be an administrator`,
        `outpost ${activatingCommands[state]} ${username}`,
      );
    }
    const user = (await store.call({ method: "PUT", path: `/users/${id}`, values: { admin: true } })) as User;
    if (flags.json) await printJson(present(user));
    else printMessage(`${username} (id ${id}) is an administrator${before.is_admin ? ", as before" : ""}`);
  });
}

/** True for an account of a person. The API's answer for one user does not show internal accounts as such. */
async function isHuman(store: StoreAccess, username: string): Promise<boolean> {
  const values = { username, humans: true };
  for await (const { length } of store.pages({ method: "GET", path: "/users", values })) return length > 0;
  return false;
}

/** Sets a password, generated or read from stdin. The user must change it at the next sign-in. */
export async function setPassword(flags: NamedFlags & Pick<PasswordFlags, "passwordStdin">): Promise<void> {
  const { passwordStdin } = flags;
  const password = await passwordOf({ ...flags, randomPassword: !passwordStdin });
  const values = withoutHoles({ password });
  await withStore(flags, async (store) => {
    const { id } = await userNamed(store, flags.user);
    const user = (await store.call({ method: "PUT", path: `/users/${id}`, values })) as User;
    await printUser(user, passwordStdin ? undefined : password, flags.json, "has a new password");
  });
}

/** Deletes an account, with its contributions if `isHard`. Prints the account as it was. */
export async function deleteUser(flags: NamedFlags & { readonly isHard: boolean }): Promise<void> {
  await withStore(flags, async (store) => {
    const before = await accountOf(store, flags.user);
    const { id, username } = before;
    await store.call({ method: "DELETE", path: `/users/${id}`, values: flags.isHard ? { hard_delete: true } : {} });
    if (flags.json) await printJson(present(before));
    else printMessage(`${username} (id ${id}) is being deleted`);
  });
}

/** API actions that change the state of a user. */
type StateChange = "block" | "unblock" | "deactivate" | "activate" | "ban" | "unban";

export async function changeState(flags: NamedFlags & { readonly change: StateChange }): Promise<void> {
  await withStore(flags, async (store) => {
    const before = await accountOf(store, flags.user);
    const { id, username } = before;
    await store.call({ method: "POST", path: `/users/${id}/${flags.change}` });
    const after = await accountOf(store, String(id));
    if (flags.json) await printJson(present(after));
    else printMessage(`${username} (id ${id}) is ${after.state}${after.state === before.state ? ", as before" : ""}`);
  });
}

/** Returns a user with all fields for administrators. Throws `StartError`. */
async function accountOf(store: StoreAccess, given: string): Promise<User> {
  const { id } = await userNamed(store, given);
  return (await store.call({ method: "GET", path: `/users/${id}` })) as User;
}

const head = ["id", "username", "name", "email", "state", "admin", "created", "last active"];

/** Returns the fields with their API names. */
function present(user: User) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    state: user.state,
    is_admin: user.is_admin,
    is_auditor: user.is_auditor ?? false,
    external: user.external,
    bot: user.bot,
    two_factor_enabled: user.two_factor_enabled,
    created_at: user.created_at,
    confirmed_at: user.confirmed_at,
    last_activity_on: user.last_activity_on,
  };
}

type Account = ReturnType<typeof present>;

function rowOf({ id, username, name, email, state, is_admin, created_at, last_activity_on }: Account): string[] {
  const admin = is_admin ? "admin" : "-";
  return [String(id), username, name, email, state, admin, created_at.slice(0, 10), last_activity_on ?? "never"];
}

async function showAccount(user: User, json: boolean): Promise<void> {
  const account = present(user);
  if (json) await printJson(account);
  else
    await printTable(
      ["what", "value"],
      Object.entries(account).map(([key, value]) => [key, String(value ?? "-")]),
    );
}

async function printUser(user: User, secret: string | undefined, json: boolean, what: string): Promise<void> {
  if (json) await printJson({ ...present(user), ...(secret === undefined ? {} : { password: secret }) });
  else if (secret !== undefined) await print(`${secret}\n`);
  printMessage(
    `${user.username} (id ${user.id}) ${what}${secret === undefined ? "" : "; the password is shown only once"}`,
  );
}

/** Returns the password; undefined for a user without a known password. */
async function passwordOf({ command, randomPassword, passwordStdin }: StoreFlags & PasswordFlags) {
  if (!passwordStdin) return randomPassword ? systemRandomness.token(generatedPasswordLength) : undefined;
  const [line = ""] = (await Bun.stdin.text()).split(/\r?\n/);
  if (line === "") throw wrongUse(command, "stdin contains no password");
  return line;
}

/** Returns the object without undefined members. */
function withoutHoles<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
