import type { AnyElysia } from "elysia";
import type { Caller, SignedInCaller } from "../../domain/caller.ts";
import { includesTier } from "../../domain/edition.ts";
import { Failure, ProjectMoved, unknownRoute } from "../../domain/failure.ts";
import { withBudget } from "../../domain/work-budget.ts";
import { Features } from "../../modules/admin/feature-flags/index.ts";
import { authorizeSource } from "../../modules/core/access/index.ts";
import { settingsOf } from "../../modules/core/application-settings/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import { type AnyPage, type ErrorFormat, isDeep, type Operation } from "../../modules/kernel/operation.ts";
import { obstacleAfter, obstacleBefore, refuse } from "../auth/admission.ts";
import { anonymous, identifyCaller } from "../auth/caller.ts";
import { hasBody, readBody } from "../body/body.ts";
import { bodySizesOf, senderOf, strangersRefusal } from "../body/body-rules.ts";
import { readQuery } from "../body/query.ts";
import { rawRequestOf, refuseUndeclaredType } from "../body/raw-body.ts";
import { RateLimits } from "../limits/rate-limits.ts";
import type { PathValues } from "../params/values.ts";
import { mergeValues, type RawValues } from "../params/values.ts";
import { preflightHeaders } from "../responses/cors.ts";
import { answerBare, answerFailure, answerMoved } from "../responses/failures.ts";
import { type PagedAnswer, type Paging, readPaging } from "../responses/pagination.ts";
import { readUnmodifiedSince } from "../responses/preconditions.ts";
import { ResponseCache } from "../responses/response-cache.ts";
import { answerPage, answerWith, pageOf, respond } from "../responses/responses.ts";
import { answerUnknown } from "../responses/unknown-page.ts";
import { type Exchange, exchangeOf } from "./request-context.ts";
import { compileRoute, deepSpellings, namedPath, type Route, readyRoute, spellings } from "./routes.ts";
import { DeepPaths } from "./wildcard-routes.ts";

/** What every operation is performed with. */
interface House {
  readonly context: Context;
  readonly limits: RateLimits;
  readonly pages: ResponseCache;
}

/** An answer that comes at the end of its time still leaves. */
const holdMarginSeconds = 10;

const firstPage: Paging = { request: { kind: "offset", page: 1, perPage: 20 } };

/**
 * The operation table → Elysia's routes. Elysia matches and nothing more: no hooks, no schemas, no body parsing.
 * A path that is known with another method answers 405, or OPTIONS.
 */
export function mountOperations(app: AnyElysia, operations: readonly Operation[], context: Context): void {
  const house: House = {
    context,
    limits: new RateLimits(context.clock, context.storageLimits.userBytesPerHour),
    pages: new ResponseCache(),
  };
  const methodsOf = new Map<string, Set<string>>();
  const dialectOf = new Map<string, ErrorFormat | undefined>();
  const deep = new DeepPaths<Route>();
  for (const operation of operations) {
    if (operation.http?.isOfConsole === true && context.console === undefined) continue;
    const route = readyRoute(operation, context);
    if (isDeep(operation)) {
      for (const path of deepSpellings(operation)) deep.add(operation.method, path, route);
      continue;
    }
    for (const path of spellings(operation)) {
      const methods = methodsOf.get(path) ?? new Set();
      methodsOf.set(path, methods.add(operation.method));
      dialectOf.set(path, operation.dialect);
      app.route(operation.method, path, ({ request, params }) => run(house, route, request, params), {
        parse: "none",
      });
    }
  }
  for (const [path, methods] of methodsOf) {
    const allow = allowedMethods(methods);
    const dialect = dialectOf.get(path);
    app.route("ALL", path, ({ request }) => answerOtherMethod(context, request, allow, dialect), { parse: "none" });
  }
  if (!deep.isEmpty) app.route("ALL", "/*", ({ request }) => runDeep(house, deep, request), { parse: "none" });
}

/** What no other path serves. */
function runDeep(house: House, deep: DeepPaths<Route>, request: Request): Response | Promise<Response> {
  const { context } = house;
  const exchange = exchangeOf(request);
  const found = deep.find(exchange.path);
  if (found === undefined) return answerUnknown(exchange, context);
  const { method } = exchange.request;
  const route = found.methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    const [other] = found.methods.values();
    const allow = allowedMethods(new Set(found.methods.keys()));
    return answerOtherMethod(context, request, allow, other?.operation.dialect);
  }
  return run(house, route, request, found.values);
}

function allowedMethods(methods: ReadonlySet<string>): string {
  const reading = methods.has("GET") ? ["HEAD", "GET"] : [];
  const others = ["POST", "PUT", "PATCH", "DELETE"].filter((method) => methods.has(method));
  return ["OPTIONS", ...reading, ...others].join(", ");
}

function answerOtherMethod(context: Context, request: Request, allow: string, dialect?: ErrorFormat): Response {
  const exchange = exchangeOf(request);
  exchange.dialect = dialect;
  if (request.method === "OPTIONS") {
    return respond(exchange, 204, null, { Allow: allow, ...preflightHeaders(exchange) });
  }
  const response = answerFailure(exchange, context.log, new Failure("not_allowed", { error: "405 Not Allowed" }));
  response.headers.set("Allow", allow);
  return response;
}

function run(house: House, route: Route, request: Request, path: PathValues): Response | Promise<Response> {
  const exchange = exchangeOf(request);
  const { activity } = house.context;
  activity.enter(route.number);
  try {
    const answer = withBudget(exchange.work, () => runOperation(house, route, exchange, path));
    if (answer instanceof Promise) activity.follow(route.number, answer);
    return answer;
  } finally {
    activity.leave();
  }
}

/** Without a body everything up to the answer is synchronous: a read costs no promise. */
function runOperation(house: House, route: Route, exchange: Exchange, path: PathValues): Response | Promise<Response> {
  const { log } = house.context;
  const { request } = exchange;
  exchange.route = route.operation.path;
  exchange.basicRealm = route.operation.basicRealm;
  const longPollSeconds = route.operation.http?.longPollSeconds;
  if (longPollSeconds !== undefined) exchange.hold(longPollSeconds + holdMarginSeconds);
  exchange.dialect = route.operation.dialect;
  try {
    const { tier, isUnknownBelowTier } = route.operation;
    if (isUnknownBelowTier && tier !== undefined && !includesTier(house.context.edition, tier)) throw unknownRoute();
    if (!route.digits.every((place) => /^-?\d+$/.test(path[place] as string))) throw unknownRoute();
    const query = readQuery(exchange.search);
    const { body: declared } = route.operation;
    if (typeof declared === "object") refuseUndeclaredType(request, declared);
    if (!hasBody(request)) return perform(house, route, exchange, query, path);
    const head = { exchange, operation: route.operation, query, path: namedPath(route, path) };
    exchange.sender = senderOf(house.context, head);
    if (declared !== undefined) return closeUnread(request, perform(house, route, exchange, query, path));
    route.sizes ??= bodySizesOf(route.operation);
    const refuseStranger = () => strangersRefusal(house.context, head);
    return readBody(request, { ...route.sizes, sender: exchange.sender, refuseStranger }).then(
      (body) => perform(house, route, exchange, mergeValues(query, body), path),
      (error: unknown) => answerFailure(exchange, log, error),
    );
  } catch (error) {
    return answerFailure(exchange, log, error);
  }
}

/** Where the body was not read, the connection cannot be used again. */
async function closeUnread(request: Request, answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed) response.headers.set("Connection", "close");
  return response;
}

function perform(
  house: House,
  route: Route,
  exchange: Exchange,
  values: RawValues,
  path: PathValues,
): Response | Promise<Response> {
  const { operation } = route;
  const { context } = house;
  // Behind a body it is another turn of the event loop.
  context.activity.enter(route.number);
  context.store.beginLook();
  try {
    const caller = operation.http?.isReceiver ? anonymous(exchange) : admit(house, exchange, values, operation);
    if (caller instanceof Response) return caller;
    const requestLimit = operation.http?.requestLimit;
    if (requestLimit !== undefined && caller.user?.is_admin === false) {
      house.limits.limitEndpoint(operation.path, caller.user.id, settingsOf(context)[requestLimit]);
    }
    refuse(obstacleBefore(operation, caller), operation);
    if (operation.method !== "GET" && caller.user?.is_admin === false) limitWriting(house, exchange, caller.user.id);
    const key = pageKey(house, exchange, caller, operation);
    const kept = key === undefined ? undefined : house.pages.find(key, context.store.version);
    if (kept !== undefined) return settled(context, answerPage(exchange, kept));
    const { who } = operation;
    const named = namedPath(route, path);
    const isSourceFirst = typeof who === "object" && who.isCheckedFirst;
    const sourceBefore = isSourceFirst ? authorizeSource(context, caller, who, named.id as string) : undefined;
    route.reader ??= compileRoute(operation, context.edition);
    const params = route.reader(values, named);
    refuse(obstacleAfter(operation, caller, context.edition), operation);
    const source =
      typeof who === "string" || isSourceFirst
        ? sourceBefore
        : authorizeSource(context, caller, who, params.id as string | number);
    const paging = operation.answer.kind === "page" ? readPage(context, operation.answer, params) : firstPage;
    const { baseUrl } = exchange;
    const unmodifiedSince = readUnmodifiedSince(exchange.request);
    const call = {
      context,
      caller: caller as SignedInCaller,
      params,
      sent: values,
      page: paging.request,
      baseUrl,
      unmodifiedSince,
      raw: rawRequestOf(exchange, operation.body),
      ...source,
    };
    const result = operation.handle(call);
    if (result instanceof Promise) {
      return result.then(
        (value) => settled(context, answerWith(exchange, operation.answer, value, paging)),
        (error: unknown) => settled(context, answerThrown(exchange, context, operation, error)),
      );
    }
    if (key !== undefined) {
      const page = pageOf(exchange, result as AnyPage, paging);
      house.pages.keep(key, context.store.version, page);
      return lookSettled(context, answerPage(exchange, page));
    }
    return lookSettled(context, answerWith(exchange, operation.answer, result, paging));
  } catch (error) {
    return lookSettled(context, answerThrown(exchange, context, operation, error));
  } finally {
    context.activity.leave();
  }
}

/** All documents are in memory: one user may not fill it within minutes. Throws 429. */
function limitWriting({ limits }: House, { request, work }: Exchange, userId: number): void {
  if (request.method !== "DELETE") limits.requireWritable(userId);
  work.onWritten = (bytes) => limits.noteWritten(userId, bytes);
}

function answerThrown(exchange: Exchange, context: Context, operation: Operation, thrown: unknown): Response {
  if (operation.http?.isReceiver) return answerBare(exchange, context.log, thrown);
  return thrown instanceof ProjectMoved ? answerMoved(exchange, thrown) : answerFailure(exchange, context.log, thrown);
}

/**
 * The key of an answered page; undefined for what is not cached. Apart from the store, a page depends on its URL, its caller and
 * the time. A second is short enough for what expires, and long enough for clients that ask again and again.
 */
function pageKey({ context }: House, exchange: Exchange, caller: Caller, { answer }: Operation): string | undefined {
  if (answer.kind !== "page" || hasBody(exchange.request)) return undefined;
  if (!context.get(Features).isEnabled("list_response_cache")) return undefined;
  const { user, token, job } = caller;
  const second = Math.floor(context.clock.now() / 1000);
  return `${user?.id} ${token?.id} ${job?.id} ${second} ${exchange.baseUrl}${exchange.path}?${exchange.search}`;
}

/** Credentials first, then the limits on requests: those with bad credentials count for their address. */
function admit(
  { context, limits }: House,
  exchange: Exchange,
  values: RawValues,
  operation: Operation,
): Caller | Response {
  const throttle = () =>
    operation.root === true ? undefined : limits.throttle(exchange, settingsOf(context), exchange.userId);
  try {
    const caller = identifyCaller(context, exchange, values, operation);
    return throttle() ?? caller;
  } catch (error) {
    const refused = throttle();
    if (refused === undefined) throw error;
    return refused;
  }
}

function readPage(context: Context, answer: PagedAnswer, params: Record<string, unknown>): Paging {
  return readPaging(answer, params, settingsOf(context).offset_pagination_limit);
}

/** What was seen stays: no answer, to a read or of an error, leaves before the state it may tell of is on disk. */
function settled(context: Context, response: Response): Response | Promise<Response> {
  return after(context.store.settled(), response);
}

/** As `settled`, for what was answered without waiting for anything: that state is known. */
function lookSettled(context: Context, response: Response): Response | Promise<Response> {
  return after(context.store.lookSettled(), response);
}

function after(pending: Promise<void> | undefined, response: Response): Response | Promise<Response> {
  return pending === undefined ? response : pending.then(() => response);
}
