import type { Config } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { callInProcess, findOperation } from "../http/entry/in-process.ts";
import { JsonText } from "../lib/text/json-text.ts";
import { LastAdministrator } from "../modules/core/users/index.ts";
import type { Context } from "../modules/kernel/context.ts";
import type { FileContent, Operation, ResponseVariant } from "../modules/kernel/operation.ts";
import { operations } from "../modules/operations.ts";
import { createServerContext } from "../server/bootstrap.ts";
import { toStartError } from "../store/index.ts";
import { nextQuery } from "./commands/client/api-client.ts";
import { createLog } from "./log/logger.ts";
import { openingProgress } from "./output/progress.ts";
import {
  type ApiCall,
  CallRefused,
  lockOrServer,
  RunningServer,
  type StoreRequest,
  sentenceOf,
} from "./running-server.ts";

/** A stopped store or that of a running server. Both perform API calls. */
export interface StoreAccess {
  /** Returns the JSON answer of a call that is no list. Its changes are then on disk. Throws `CallRefused`. */
  call(call: ApiCall): Promise<unknown>;
  /** Yields a whole list, page by page. Throws `CallRefused`. */
  pages(call: ApiCall): AsyncGenerator<readonly unknown[], void>;
  /** Yields the file that a call answers with. Throws `CallRefused`. */
  file(call: ApiCall): AsyncGenerator<Uint8Array<ArrayBuffer>, void>;
}

/**
 * Performs API calls: in this process on a stopped store, else through the server. Throws `StartError` for refused calls,
 * and the errors of `lockOrServer`.
 */
export async function withStore(request: StoreRequest, work: (store: StoreAccess) => Promise<void>): Promise<void> {
  const place = await lockOrServer(request);
  if (place instanceof RunningServer) return work(accessThrough(place));
  place.release();
  await withOpenedStore(request, (context) => work(accessInProcess(context, request)));
}

/** Opens a stopped store, and waits until the changes are on disk. Throws `StartError`. */
export async function withOpenedStore(
  { config }: { readonly config: Config },
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const progress = openingProgress();
  const { context } = await createServerContext(config, createLog(config), { onProgress: progress.follow }).finally(
    () => progress.end(),
  );
  try {
    await work(context);
    await context.store.settled();
  } finally {
    await context.store.close();
  }
}

const atOnce = 100;

function accessThrough(server: RunningServer): StoreAccess {
  return {
    async call(call) {
      const { body } = await server.send(call);
      return body.length === 0 ? undefined : JSON.parse(body.toString());
    },
    async *pages({ method, path, values }) {
      let next: ApiCall | undefined = {
        ...{ method, path },
        values: {
          ...values,
          ...(hasKeyset({ method, path }) ? { pagination: "keyset" } : {}),
          per_page: String(atOnce),
        },
      };
      while (next !== undefined) {
        const answer = await server.send(next);
        yield JSON.parse(answer.body.toString());
        const query = nextQuery(answer);
        next = query === undefined ? undefined : { method, path: `${path}${query}` };
      }
    },
    async *file(call) {
      for await (const piece of (await server.stream(call)).body) yield new Uint8Array(piece);
    },
  };
}

export function accessInProcess(context: Context, { command, config }: StoreRequest): StoreAccess {
  const perform = async ({ values = {}, ...call }: ApiCall, page?: PageRequest) => {
    try {
      const asked = { ...call, values };
      const result = await callInProcess(context, operations, page === undefined ? asked : { ...asked, page });
      await context.store.settled();
      return result;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "unavailable") throw toStartError(config.dataFolder, error);
      throw refusalOf(error, command);
    }
  };
  return {
    call: async (call) => asJson(bodyOf(call, await perform(call))),
    async *pages(call) {
      let request: PageRequest | undefined = firstRequest(call);
      for (let number = 1; request !== undefined; number += 1) {
        const answer = (await perform(call, request)) as Page<unknown> | readonly unknown[];
        const page = isWhole(answer) ? { items: answer, next: undefined, hasNext: false } : answer;
        yield page.items.map(asJson);
        request = requestAfter(page, number);
      }
    },
    async *file(call) {
      const { content } = (await perform(call)) as FileContent;
      for await (const piece of new Response(content).body ?? []) yield piece;
    },
  };
}

/** True for the answer of a list without pages. */
function isWhole(answer: Page<unknown> | readonly unknown[]): answer is readonly unknown[] {
  return Array.isArray(answer);
}

function operationOf({ method, path }: ApiCall): Operation | undefined {
  return findOperation(operations, method, path)?.operation;
}

/** True for a list with keyset pages. Others have only offset pages. */
function hasKeyset(call: ApiCall): boolean {
  const answer = operationOf(call)?.answer;
  return answer?.kind === "page" && answer.keyset !== undefined;
}

function firstRequest(call: ApiCall): PageRequest {
  return hasKeyset(call)
    ? { kind: "keyset", after: undefined, perPage: atOnce }
    : { kind: "offset", page: 1, perPage: atOnce };
}

function requestAfter(
  { next, hasNext }: Pick<Page<unknown>, "next" | "hasNext">,
  number: number,
): PageRequest | undefined {
  if (next !== undefined) return { kind: "keyset", after: next, perPage: atOnce };
  return hasNext ? { kind: "offset", page: number + 1, perPage: atOnce } : undefined;
}

/** Returns the body. An operation with several success statuses answers with one of them and its headers. */
function bodyOf(call: ApiCall, answer: unknown): unknown {
  return operationOf(call)?.answer.kind === "outcomes" ? (answer as ResponseVariant).body : answer;
}

function asJson(value: unknown): unknown {
  if (value instanceof JsonText) return value.parse();
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function refusalOf(failure: Failure, command: string): CallRefused {
  const { message } = failure.body;
  const isLast = failure instanceof LastAdministrator;
  const hint = isLast ? "outpost user promote NAME, for another user first" : `outpost ${command} --help`;
  const text = typeof message === "object" ? sentenceOf(message) : failure.message;
  const status = failure.kind === "not_found" ? 404 : failure.kind === "forbidden" ? 403 : 400;
  return new CallRefused(status, text, hint, true);
}

/** The id and the username of a user. */
export interface NamedUser {
  readonly id: number;
  readonly username: string;
}

/** Finds a user by username or id. Throws `StartError`. */
export async function userNamed(store: StoreAccess, given: string): Promise<NamedUser> {
  const user = /^\d+$/.test(given) ? await userWith(store, given) : await userCalled(store, given);
  if (user === undefined) throw new StartError(`no user is called ${given}`, "outpost user list");
  return user as NamedUser;
}

async function userCalled(store: StoreAccess, username: string): Promise<unknown> {
  for await (const [found] of store.pages({ method: "GET", path: "/users", values: { username } })) return found;
  return undefined;
}

async function userWith(store: StoreAccess, id: string): Promise<unknown> {
  try {
    return await store.call({ method: "GET", path: `/users/${id}` });
  } catch (error) {
    if (error instanceof CallRefused && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns an error about wrong use of a command, with a hint to its flags. */
export function wrongUse(command: string, message: string): StartError {
  return new StartError(message, `outpost ${command} --help`, { exitCode: exitCodes.usage });
}
