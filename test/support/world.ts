import { afterAll } from "bun:test";
import type { Config } from "../../src/config/config.ts";
import { initialSetup } from "../../src/modules/accounts/initial-setup/index.ts";
import { type AuditEventRecord, auditEvents } from "../../src/modules/core/audit-events/index.ts";
import { type UserRecord, users } from "../../src/modules/core/users/index.ts";
import type { Context } from "../../src/modules/kernel/context.ts";
import type { ModuleManifest } from "../../src/modules/kernel/module.ts";
import type { Work } from "../../src/scheduler/scheduler.ts";
import { startApp } from "../../src/server/app.ts";
import type { Disk, Store } from "../../src/store/index.ts";
import { configFor, rootToken } from "./config.ts";
import { checkDeclaredAnswer, checkDeclaredError, operationFor } from "./declared-answers.ts";
import { FakeClock } from "./fake-clock.ts";
import { until } from "./fault-client.ts";
import type { Json } from "./json.ts";
import { type RawAnswer, type RawRequest, sendRaw } from "./raw-http.ts";
import { createTempFolder } from "./temp-folder.ts";

export type { Json };
export { rootToken };

export interface CallOptions {
  /** In `PRIVATE-TOKEN`. */
  readonly token?: string | undefined;
  /** Arrays as `name[]`; a text is sent as it is. */
  readonly query?: string | Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;
  readonly json?: unknown;
  /** `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly multipart?: FormData;
  /** A body as it is; its type goes into `headers`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; undefined when there is none. */
  readonly body: Json;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** The answer to the creation. */
  readonly record: Json;
  /** With scope `api`, and for administrators `sudo`. */
  readonly token: string;
}

/** A running Outpost on a folder of its own, and the shortest ways to talk to it. */
export interface World {
  readonly origin: string;
  readonly clock: FakeClock;
  /** For what no operation shows or makes yet. */
  readonly store: Store;
  /** For services that no operation calls yet. */
  readonly context: Context;
  /**
   * One request. `path` is below `/api/v4` unless it starts with `/api/`, `/-/` `/uploads/` or `/v2`, or goes into a `.git` or
   * to a receiver of alerts. Every answer is checked: never a
   * 5xx, the headers that all have, and on success the schema that the operation declares.
   */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** One request over its own connection, byte for byte; the same checks but for the schema. */
  wire(request: RawRequest): Promise<RawAnswer>;
  /** The administrator's GET. */
  get(path: string, options?: CallOptions): Promise<Answer>;
  /** Makes a user through the API, with a token. */
  user(attributes?: Readonly<Record<string, unknown>>): Promise<Person>;
  /** Makes a token for a user through the API. */
  token(userId: number, attributes?: Readonly<Record<string, unknown>>): Promise<Json>;
  /** Changes a user straight in the store: states and types that no operation makes yet. */
  alter(userId: number, attributes: Partial<UserRecord>): void;
  /** Every log line so far. */
  readonly logged: readonly string[];
  /** Resolves when no job is due by the clock and neither a job nor periodic work runs. */
  jobsDone(): Promise<void>;
  /** Root's password is hashed while the server answers already; storing it is one transaction and one event more. */
  rootPasswordStored(): Promise<void>;
  /** Every audit event from the `from`-th on, oldest first. */
  events(from?: number): AuditEventRecord[];
}

/**
 * Stopped, and its folder removed, after the tests of the file. `work` stands in for the modules' own jobs; `modules` come
 * after the product's own.
 */
export async function startWorld(
  settings: Partial<Config> = {},
  work: Partial<Work> = {},
  modules?: readonly ModuleManifest[],
  disk?: Disk,
): Promise<World> {
  const folder = await createTempFolder();
  const clock = new FakeClock();
  const config = configFor(folder.path, settings);
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const seams = { clock, work, ...(modules === undefined ? {} : { modules }), ...(disk === undefined ? {} : { disk }) };
  const app = await startApp(config, { debug: note, info: note, warn: note, error: note }, seams);
  // A large store is written back at the end, on a machine that may be busy.
  afterAll(async () => {
    await app.stop();
    await folder.remove();
  }, 60_000);
  let count = 0;

  const world: World = {
    origin: app.origin,
    clock,
    store: app.context.store,
    context: app.context,
    logged,
    jobsDone: () => app.scheduler.idle(),
    rootPasswordStored: () =>
      until(
        "root's password is stored",
        () => app.context.store.of(initialSetup).get(1)?.is_root_password_set === true,
      ),
    async call(method, path, options = {}) {
      const apiPath = /^\/(api|-|uploads)\/|^\/v2(\/|$)|\.git\/|\/alerts\/notify/.test(path) ? path : `/api/v4${path}`;
      const { headers, body } = bodyOf(options);
      if (options.token !== undefined) headers.set("PRIVATE-TOKEN", options.token);
      const response = await fetch(`${app.origin}${apiPath}${queryOf(options.query)}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
      checkEveryAnswer(method, answer, logged);
      const operation = operationFor(method, path.replace(/^\/api\/v4/, "").split("?", 1)[0] as string);
      if (operation === undefined || method === "HEAD" || method === "OPTIONS") return answer;
      if (response.ok) checkDeclaredAnswer(operation, response.status, answer.body);
      else if (response.status >= 400) checkDeclaredError(operation, response.status, answer.body);
      return answer;
    },
    async wire(request) {
      const answer = await sendRaw(app.origin, request);
      checkEveryAnswer(request.method, { ...answer, text: answer.body }, logged);
      return answer;
    },
    get: (path, options) => world.call("GET", path, { token: rootToken, ...options }),
    async user(attributes = {}) {
      count += 1;
      const json = {
        name: `Person ${count}`,
        username: `person${count}`,
        email: `person${count}@people.example`,
        force_random_password: true,
        ...attributes,
      };
      const { body: record, status, text } = await world.call("POST", "/users", { token: rootToken, json });
      if (status !== 201) throw new Error(`no user: ${status} ${text}`);
      const { id, username, email, is_admin } = record;
      const { token } = await world.token(id, { scopes: is_admin ? ["api", "sudo"] : ["api"] });
      return { id, username, email, record, token };
    },
    async token(userId, attributes = {}) {
      const json = { name: "test", scopes: ["api"], ...attributes };
      const { body, status, text } = await world.call("POST", `/users/${userId}/personal_access_tokens`, {
        token: rootToken,
        json,
      });
      if (status !== 201) throw new Error(`no token: ${status} ${text}`);
      return body;
    },
    alter(userId, attributes) {
      app.context.store.transact((tx) => tx.update(users, { ...userOf(app.context.store, userId), ...attributes }));
    },
    events(from = 0) {
      const log = app.context.store.logOf(auditEvents);
      return Array.from(
        { length: log.size - from },
        (_, at) => log.get(log.droppedBelow + from + at) as AuditEventRecord,
      );
    },
  };
  return world;
}

function userOf(store: Store, id: number): UserRecord {
  const user = store.of(users).get(id);
  if (user === undefined) throw new Error(`no user ${id}`);
  return user;
}

function bodyOf({ json, form, multipart, raw, headers: given }: CallOptions) {
  const headers = new Headers(given);
  const withType = (type: string) => {
    if (!headers.has("content-type")) headers.set("content-type", type);
  };
  if (json !== undefined) {
    withType("application/json");
    return { headers, body: JSON.stringify(json) };
  }
  if (form !== undefined) {
    withType("application/x-www-form-urlencoded");
    return { headers, body: new URLSearchParams(form).toString() };
  }
  return { headers, body: multipart ?? raw };
}

function queryOf(query: CallOptions["query"]): string {
  if (query === undefined) return "";
  if (typeof query === "string") return `?${query}`;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((each) => [`${name}[]`, String(each)]) : [[name, String(value)]],
  );
  return `?${pairs.map(([name = "", value = ""]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")}`;
}

function parse(text: string): Json {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Manifests of images and JSON lines have types of their own. */
function isJson(text: string, type: string | null): boolean {
  return text.startsWith("{") && !/^application\/(?:vnd\.|jsonl$)/.test(type ?? "");
}

/** Whether a test asked for the error (sandbox 3). */
function isFaultOfSandbox(headers: Headers): boolean {
  return headers.has("preference-applied") || headers.get("x-outpost-reason")?.startsWith("the fault ") === true;
}

/** Checks the rules of every answer (rest-conventions 1 and 4). */
function checkEveryAnswer(
  method: string,
  { status, headers, text }: { status: number; headers: Headers; text: string },
  logged: readonly string[],
) {
  const problems = [
    status >= 500 && status !== 507 && !isFaultOfSandbox(headers) && "is a server error",
    !uuid.test(headers.get("x-request-id") ?? "") && "has no request id",
    !/^\d+\.\d+$/.test(headers.get("x-runtime") ?? "") && "has no runtime",
    headers.get("x-content-type-options") !== "nosniff" && "may be sniffed",
    headers.get("x-frame-options") !== "SAMEORIGIN" && "may be framed",
    !headers.get("vary")?.startsWith("Origin") && "does not vary by origin",
    !headers.has("cache-control") && "does not say how it may be cached",
    (method === "HEAD" || status === 204 || status === 304) && text !== "" && "has a body",
    isJson(text, headers.get("content-type")) &&
      headers.get("content-type") !== "application/json" &&
      "is not bare application/json",
    status >= 400 && headers.get("cache-control") !== "no-cache" && "is an error that may be cached",
  ].filter((problem) => problem !== false);
  if (problems.length > 0)
    throw new Error(
      `${method} answered ${status} ${text.slice(0, 200)}: ${problems.join(", ")}${causeOf(headers, logged)}`,
    );
}

/** Returns the line that the server logged about a request it could not answer; empty without one. */
function causeOf(headers: Headers, logged: readonly string[]): string {
  const id = headers.get("x-request-id") ?? "no id";
  const line = logged.find((each) => each.startsWith("unforeseen error") && each.includes(id));
  return line === undefined ? "" : `\n${line.replaceAll("\\n", "\n")}`;
}
