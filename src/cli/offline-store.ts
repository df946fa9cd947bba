import { join } from "node:path";
import type { ClientConfig, Config } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import type { Page, PageRequest, Position } from "../domain/page.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { callInProcess } from "../http/entry/in-process.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { findUser, findUserByUsername, LastAdministrator, type UserRecord } from "../modules/core/users/index.ts";
import { operations } from "../modules/index.ts";
import type { Context } from "../modules/kernel/context.ts";
import { createServerContext } from "../server/bootstrap.ts";
import { FolderIsHeld, lockFolder, systemDisk, toStartError } from "../store/index.ts";
import { resolveEndpoint, type ServerEndpoint, serverOf } from "./endpoint.ts";
import { createLog } from "./log/logger.ts";
import { openingProgress } from "./output/progress.ts";

/** The options of every command on a stopped store. */
export interface OfflineOptions {
  readonly json: boolean;
  /** Names the server that may hold the folder; `serverOf` also considers the address which that server noted. */
  readonly client: ClientConfig;
}

/** Parameters of a call by their names. */
export type CallValues = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The call of the API that does what a verb does: performed in process, or told for a folder that a server holds. */
interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api/v4`; `ID`, here and as a value, stands for the user. */
  readonly path: string;
  readonly values?: CallValues;
  /** Name or id. */
  readonly user?: string | undefined;
}

/** A store that no other process has open. */
export interface OpenedStore {
  readonly context: Context;
  /** Performs the call of the verb, with other values where they are given; what it did is on disk when it resolves. */
  perform(values?: CallValues): Promise<unknown>;
  /** Everything that the call lists, a page at a time, with these values added. */
  pages(added: CallValues): AsyncGenerator<readonly unknown[], void>;
}

export interface StoppedStore {
  readonly config: Config;
  /** As the person typed it: `user block`. */
  readonly verb: string;
  readonly call: ApiCall;
  readonly client: ClientConfig;
}

/**
 * Does something in a store that no server uses, and waits until it is on disk. Throws `StartError` for a folder
 * without a store, for what the API would refuse, and, when a server holds the folder, with the call that does the same.
 */
export async function withOfflineStore(
  { config, verb, call, client }: StoppedStore,
  work: (store: OpenedStore) => Promise<void> | void,
): Promise<void> {
  const folder = config.dataFolder;
  if (!systemDisk.exists(join(folder, "manifest.json"))) {
    throw new StartError(`${folder} holds no store`, `outpost ${verb} --data DIR`);
  }
  refuseHeldFolder(folder, call, client);
  const progress = openingProgress();
  const { context } = await createServerContext(config, createLog(config), { onProgress: progress.follow }).finally(
    () => progress.end(),
  );
  try {
    await work(openedStore(context, call));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === "unavailable") throw toStartError(folder, error);
    const isLast = error instanceof LastAdministrator;
    const hint = isLast ? "outpost user promote NAME, for another user first" : `outpost ${verb} --help`;
    throw new StartError(sentenceOf(error), hint, { cause: error });
  } finally {
    await context.store.close();
  }
}

function openedStore(context: Context, { method, path, values: own = {}, user: given }: ApiCall): OpenedStore {
  const perform = async (values: CallValues, page?: PageRequest) => {
    const id = given === undefined ? "" : String(userNamed(context, given).id);
    const withId = ([name, value]: [string, CallValues[string]]) => [name, value === "ID" ? id : value];
    const asked = {
      method,
      path: path.replace("ID", id),
      values: Object.fromEntries(Object.entries(values).map(withId)),
    };
    const result = await callInProcess(context, operations, page === undefined ? asked : { ...asked, page });
    await context.store.settled();
    return result;
  };
  return {
    context,
    perform: (values = own) => perform(values),
    async *pages(added) {
      let after: Position | undefined;
      do {
        const page = (await perform({ ...own, ...added }, { kind: "keyset", after, perPage: 100 })) as Page<unknown>;
        yield page.items;
        after = page.next;
      } while (after !== undefined);
    },
  };
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

/** The errors that the API would answer, as a sentence: `email is invalid; username can't be blank`. */
function sentenceOf({ message, body }: Failure): string {
  if (typeof body.message !== "object") return message;
  const problems = Object.entries(body.message).map(([name, texts]) => `${name} ${[texts].flat().join(", ")}`);
  return problems.join("; ");
}

function isId(given: string): boolean {
  return /^\d+$/.test(given);
}

/** A store has one process at a time. While a server is that, it does the work. */
function refuseHeldFolder(folder: string, call: ApiCall, client: ClientConfig): void {
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

function commandFor({ method, path, values = {}, user }: ApiCall, { base, socket, authority }: ServerEndpoint): string {
  const withId = (text: string) => (user !== undefined && isId(user) ? text.replace("ID", user) : text);
  const fields = Object.entries(values).flatMap(([name, value]) =>
    typeof value === "object" ? value.map((each) => `${name}[]=${each}`) : [`${name}=${value}`],
  );
  const words = [
    ...["curl", ...(method === "GET" ? ["-G"] : method === "POST" && fields.length > 0 ? [] : ["-X", method])],
    ...(socket === undefined ? [] : ["--unix-socket", shellWord(socket)]),
    ...(authority === undefined ? [] : ["--cacert", shellWord(authority)]),
    ...["-H", '"PRIVATE-TOKEN: $TOKEN"', shellWord(`${base}/api/v4${withId(path)}`)],
    ...fields.flatMap((field) => ["--data-urlencode", shellWord(withId(field))]),
  ];
  return words.join(" ");
}
