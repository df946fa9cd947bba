import { join } from "node:path";
import { openHouse } from "../app.ts";
import type { Config } from "../config/config.ts";
import { nearest } from "../config/nearest.ts";
import type { Caller } from "../domain/caller.ts";
import { parseCalendarDate } from "../domain/datetime.ts";
import { Failure } from "../domain/failure.ts";
import { type Scope, scopes } from "../domain/scopes.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import type { Context } from "../modules/context.ts";
import { createAccessToken, presentNewAccessToken } from "../modules/personal-access-tokens/index.ts";
import { findUser, findUserByUsername, type UserRecord } from "../modules/users/index.ts";
import { lockFolder, systemDisk } from "../store/index.ts";
import { createLog } from "./logger.ts";
import { print, say } from "./terminal.ts";

export interface TokenFlags {
  /** A username, or the digits of an id. */
  readonly user: string;
  /** Separated by commas. */
  readonly scopes: string;
  readonly name: string;
  readonly expiresAt: string | undefined;
  readonly json: boolean;
  /** Where the server that holds the folder most likely is. */
  readonly url: string | undefined;
}

/** A token as it was asked for, every word checked. */
interface Wanted {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires_at?: string;
}

/** Whoever may write the folder is let in without an account, and audit events say so. */
const nobody: Caller = { user: undefined, token: undefined, ipAddress: null };

/**
 * Makes an access token without a server: the token on stdout, told this once, and the rest on stderr. Throws
 * `StartError` for wrong use and for what the API would refuse; when a server holds the folder, with the call that
 * does the same.
 */
export async function createToken(flags: TokenFlags, config: Config): Promise<void> {
  const wanted = check(flags);
  const folder = config.dataFolder;
  if (!systemDisk.exists(join(folder, "manifest.json"))) {
    throw new StartError(`${folder} holds no store`, "outpost token create --data DIR");
  }
  refuseHeldFolder(folder, flags, wanted);
  const { context } = await openHouse(config, createLog(config));
  try {
    const user = getUser(context, flags.user);
    const made = create(context, user, wanted);
    await context.store.settled();
    const { token, ...entity } = presentNewAccessToken(context, made);
    await print(flags.json ? `${JSON.stringify({ ...entity, token }, null, 2)}\n` : `${token}\n`);
    say(
      `made for ${user.username} (id ${user.id}): ${entity.scopes.join(", ")}, until ${entity.expires_at}; shown this once`,
    );
  } finally {
    await context.store.close();
  }
}

function check({ name, scopes: given, expiresAt }: TokenFlags): Wanted {
  const wanted = given
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const isScope = (scope: string): scope is Scope => (scopes as readonly string[]).includes(scope);
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown !== undefined) {
    throw wrong(`${JSON.stringify(unknown)} is no scope; the nearest is ${nearest(unknown, scopes)}`);
  }
  if (expiresAt !== undefined && parseCalendarDate(expiresAt) === undefined) {
    throw wrong(`--expires-at is ${JSON.stringify(expiresAt)}; expected a day as 2027-01-31`);
  }
  return { name, scopes: wanted.filter(isScope), ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) };
}

function wrong(message: string): StartError {
  return new StartError(message, "outpost token create --help", { exitCode: exitCodes.usage });
}

function getUser({ store }: Context, given: string): UserRecord {
  const user = /^\d+$/.test(given) ? findUser(store, Number(given)) : findUserByUsername(store, given);
  if (user === undefined) throw new StartError(`there is no user ${given}`, "outpost token create --user root");
  return user;
}

function create(context: Context, user: UserRecord, { scopes: wanted, ...others }: Wanted) {
  try {
    return createAccessToken(context, nobody, { ...others, user_id: user.id, scopes: [...wanted] });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new StartError(error.message, "outpost token create --help", { cause: error });
  }
}

/** A store has one process at a time. While a server is that, it makes the tokens. */
function refuseHeldFolder(folder: string, flags: TokenFlags, wanted: Wanted): void {
  try {
    lockFolder(folder).release();
  } catch (error) {
    if (!(error instanceof StartError)) return; // Opening the store finds the words for it.
    const isId = /^\d+$/.test(flags.user);
    const asksId = `; ID is what GET /api/v4/users?username=${flags.user} says`;
    throw new StartError(`${error.message}${isId ? "" : asksId}`, callFor(flags, wanted), { cause: error });
  }
}

/** The call of the API that makes the same token. */
function callFor({ user, url }: TokenFlags, wanted: Wanted): string {
  const id = /^\d+$/.test(user) ? user : "ID";
  const fields = [
    `name=${wanted.name}`,
    ...wanted.scopes.map((scope) => `scopes[]=${scope}`),
    ...(wanted.expires_at === undefined ? [] : [`expires_at=${wanted.expires_at}`]),
  ];
  const data = fields.map((field) => `--data-urlencode ${quote(field)}`).join(" ");
  const server = url ?? "http://127.0.0.1:PORT";
  return `curl -H "PRIVATE-TOKEN: $TOKEN" ${server}/api/v4/users/${id}/personal_access_tokens ${data}`;
}

/** As one word for a shell. */
function quote(text: string): string {
  return /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
