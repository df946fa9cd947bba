import { join } from "node:path";
import type { ClientConfig, Config } from "../config/config.ts";
import type { Caller } from "../domain/caller.ts";
import { Failure } from "../domain/failure.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { findUser, findUserByUsername, LastAdministrator, type UserRecord } from "../modules/core/users/index.ts";
import type { Context } from "../modules/kernel/context.ts";
import { createServerContext } from "../server/bootstrap.ts";
import { FolderIsHeld, lockFolder, systemDisk, toStartError } from "../store/index.ts";
import { resolveEndpoint, type ServerEndpoint, serverOf } from "./endpoint.ts";
import { createLog } from "./log/logger.ts";

/** Whoever may write the folder is let in without an account, and audit events say so. */
export const nobody: Caller = { user: undefined, token: undefined, ipAddress: null };

/** What every verb on a stopped store is told. */
export interface AskedOfStore {
  readonly json: boolean;
  /** Names the server that may hold the folder; `serverOf` also considers the address which that server noted. */
  readonly client: ClientConfig;
}

/** The call of the API that does what a verb does, for folders that a server holds. */
interface SameCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api/v4`; `ID`, here and in a field, stands for the user. */
  readonly path: string;
  readonly fields?: readonly string[];
  /** Name or id. */
  readonly user?: string | undefined;
}

export interface StoppedStore {
  readonly config: Config;
  /** As the person typed it: `user block`. */
  readonly verb: string;
  readonly call: SameCall;
  readonly client: ClientConfig;
}

/**
 * Does something in a store that no server uses, and waits until it is on disk. Throws `StartError` for a folder
 * without a store, for what the API would refuse, and, when a server holds the folder, with the call that does the same.
 */
export async function inStoppedStore(
  { config, verb, call, client }: StoppedStore,
  work: (context: Context) => Promise<void> | void,
): Promise<void> {
  const folder = config.dataFolder;
  if (!systemDisk.exists(join(folder, "manifest.json"))) {
    throw new StartError(`${folder} holds no store`, `outpost ${verb} --data DIR`);
  }
  refuseHeldFolder(folder, call, client);
  const { context } = await createServerContext(config, createLog(config));
  try {
    await work(context);
    await context.store.settled();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === "unavailable") throw toStartError(folder, error);
    const isLast = error instanceof LastAdministrator;
    const cure = isLast ? "outpost user promote NAME, for another user first" : `outpost ${verb} --help`;
    throw new StartError(sentenceOf(error), cure, { cause: error });
  } finally {
    await context.store.close();
  }
}

/** By username or by the digits of an id. Throws `StartError`. */
export function userNamed({ store }: Context, given: string): UserRecord {
  const user = isId(given) ? findUser(store, Number(given)) : findUserByUsername(store, given);
  if (user === undefined) throw new StartError(`no user is called ${given}`, "outpost user list");
  return user;
}

/** Wrong use of a verb, told with where its flags are. */
export function wrongUse(verb: string, message: string): StartError {
  return new StartError(message, `outpost ${verb} --help`, { exitCode: exitCodes.usage });
}

/** What the API would answer, in words: `email is invalid; username can't be blank`. */
function sentenceOf({ message, body }: Failure): string {
  if (typeof body.message !== "object") return message;
  const problems = Object.entries(body.message).map(([name, texts]) => `${name} ${[texts].flat().join(", ")}`);
  return problems.join("; ");
}

function isId(given: string): boolean {
  return /^\d+$/.test(given);
}

/** A store has one process at a time. While a server is that, it does the work. */
function refuseHeldFolder(folder: string, call: SameCall, client: ClientConfig): void {
  try {
    lockFolder(folder).release();
  } catch (error) {
    if (!(error instanceof FolderIsHeld)) throw error;
    const { user } = call;
    const asksId = user === undefined || isId(user) ? "" : `; ID is what GET /api/v4/users?username=${user} says`;
    const way = resolveEndpoint(serverOf(client, error.address) ?? "http://127.0.0.1:PORT", folder);
    throw new StartError(`${error.message}${asksId}`, commandFor(call, way), { cause: error });
  }
}

function commandFor(
  { method, path, fields = [], user }: SameCall,
  { base, socket, authority }: ServerEndpoint,
): string {
  const withId = (text: string) => (user !== undefined && isId(user) ? text.replace("ID", user) : text);
  const words = [
    ...["curl", ...(method === "GET" ? ["-G"] : method === "POST" && fields.length > 0 ? [] : ["-X", method])],
    ...(socket === undefined ? [] : ["--unix-socket", shellWord(socket)]),
    ...(authority === undefined ? [] : ["--cacert", shellWord(authority)]),
    ...["-H", '"PRIVATE-TOKEN: $TOKEN"', shellWord(`${base}/api/v4${withId(path)}`)],
    ...fields.flatMap((field) => ["--data-urlencode", shellWord(withId(field))]),
  ];
  return words.join(" ");
}
