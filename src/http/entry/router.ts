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
import { type RequestContext, requestContextOf } from "./request-context.ts";
import { compileRoute, deepSpellings, namedPath, type Route, readyRoute, spellings } from "./routes.ts";
import { DeepPaths } from "./wildcard-routes.ts";

/** The dependencies of every operation. */
interface RouterDependencies {
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
  const dependencies: RouterDependencies = {
    context,
    limits: new RateLimits(context.clock, context.storageLimits.userBytesPerHour),
    pages: new ResponseCache(),
  };
  const methodsOf = new Map<string, Set<string>>();
  const errorFormatOf = new Map<string, ErrorFormat | undefined>();
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
      errorFormatOf.set(path, operation.errorFormat);
      app.route(operation.method, path, ({ request, params }) => run(dependencies, route, request, params), {
        parse: "none",
      });
    }
  }
  for (const [path, methods] of methodsOf) {
    const allow = allowedMethods(methods);
    const errorFormat = errorFormatOf.get(path);
    app.route("ALL", path, ({ request }) => answerOtherMethod(context, request, allow, errorFormat), { parse: "none" });
  }
  if (!deep.isEmpty) app.route("ALL", "/*", ({ request }) => runDeep(dependencies, deep, request), { parse: "none" });
}

/** Serves requests that match no other path. */
function runDeep(
  dependencies: RouterDependencies,
  deep: DeepPaths<Route>,
  request: Request,
): Response | Promise<Response> {
  const { context } = dependencies;
  const requestContext = requestContextOf(request);
  const found = deep.find(requestContext.path);
  if (found === undefined) return answerUnknown(requestContext, context);
  const { method } = requestContext.request;
  const route = found.methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    const [other] = found.methods.values();
    const allow = allowedMethods(new Set(found.methods.keys()));
    return answerOtherMethod(context, request, allow, other?.operation.errorFormat);
  }
  return run(dependencies, route, request, found.values);
}

function allowedMethods(methods: ReadonlySet<string>): string {
  const reading = methods.has("GET") ? ["HEAD", "GET"] : [];
  const others = ["POST", "PUT", "PATCH", "DELETE"].filter((method) => methods.has(method));
  return ["OPTIONS", ...reading, ...others].join(", ");
}

function answerOtherMethod(context: Context, request: Request, allow: string, errorFormat?: ErrorFormat): Response {
  const requestContext = requestContextOf(request);
  requestContext.errorFormat = errorFormat;
  if (request.method === "OPTIONS") {
    return respond(requestContext, 204, null, { Allow: allow, ...preflightHeaders(requestContext) });
  }
  const response = answerFailure(requestContext, context.log, new Failure("not_allowed", { error: "405 Not Allowed" }));
  response.headers.set("Allow", allow);
  return response;
}

function run(
  dependencies: RouterDependencies,
  route: Route,
  request: Request,
  path: PathValues,
): Response | Promise<Response> {
  const requestContext = requestContextOf(request);
  const { activity } = dependencies.context;
  activity.enter(route.number);
  try {
    const answer = withBudget(requestContext.work, () => runOperation(dependencies, route, requestContext, path));
    if (answer instanceof Promise) activity.follow(route.number, answer);
    return answer;
  } finally {
    activity.leave();
  }
}

/** Without a body everything up to the answer is synchronous: a read costs no promise. */
function runOperation(
  dependencies: RouterDependencies,
  route: Route,
  requestContext: RequestContext,
  path: PathValues,
): Response | Promise<Response> {
  const { log } = dependencies.context;
  const { request } = requestContext;
  requestContext.route = route.operation.path;
  requestContext.basicRealm = route.operation.basicRealm;
  const longPollSeconds = route.operation.http?.longPollSeconds;
  if (longPollSeconds !== undefined) requestContext.hold(longPollSeconds + holdMarginSeconds);
  requestContext.errorFormat = route.operation.errorFormat;
  try {
    const { tier, isUnknownBelowTier } = route.operation;
    if (isUnknownBelowTier && tier !== undefined && !includesTier(dependencies.context.edition, tier))
      throw unknownRoute();
    if (!route.digits.every((place) => /^-?\d+$/.test(path[place] as string))) throw unknownRoute();
    const query = readQuery(requestContext.search);
    const { body: declared } = route.operation;
    if (typeof declared === "object") refuseUndeclaredType(request, declared);
    if (!hasBody(request)) return perform(dependencies, route, requestContext, query, path);
    const head = { requestContext, operation: route.operation, query, path: namedPath(route, path) };
    requestContext.sender = senderOf(dependencies.context, head);
    if (declared !== undefined) return closeUnread(request, perform(dependencies, route, requestContext, query, path));
    route.sizes ??= bodySizesOf(route.operation);
    const refuseStranger = () => strangersRefusal(dependencies.context, head);
    return readBody(request, { ...route.sizes, sender: requestContext.sender, refuseStranger }).then(
      (body) => perform(dependencies, route, requestContext, mergeValues(query, body), path),
      (error: unknown) => answerFailure(requestContext, log, error),
    );
  } catch (error) {
    return answerFailure(requestContext, log, error);
  }
}

/** If the body was not read, the connection cannot be used again. */
async function closeUnread(request: Request, answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed) response.headers.set("Connection", "close");
  return response;
}

function perform(
  dependencies: RouterDependencies,
  route: Route,
  requestContext: RequestContext,
  values: RawValues,
  path: PathValues,
): Response | Promise<Response> {
  const { operation } = route;
  const { context } = dependencies;
  // Behind a body it is another turn of the event loop.
  context.activity.enter(route.number);
  context.store.beginLook();
  try {
    const caller = operation.http?.isReceiver
      ? anonymous(requestContext)
      : admit(dependencies, requestContext, values, operation);
    if (caller instanceof Response) return caller;
    const requestLimit = operation.http?.requestLimit;
    if (requestLimit !== undefined && caller.user?.is_admin === false) {
      dependencies.limits.limitEndpoint(operation.path, caller.user.id, settingsOf(context)[requestLimit]);
    }
    refuse(obstacleBefore(operation, caller), operation);
    if (operation.method !== "GET" && caller.user?.is_admin === false)
      limitWriting(dependencies, requestContext, caller.user.id);
    const key = pageKey(dependencies, requestContext, caller, operation);
    const kept = key === undefined ? undefined : dependencies.pages.find(key, context.store.version);
    if (kept !== undefined) return settled(context, answerPage(requestContext, kept));
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
    const { baseUrl } = requestContext;
    const unmodifiedSince = readUnmodifiedSince(requestContext.request);
    const call = {
      context,
      caller: caller as SignedInCaller,
      params,
      rawParams: values,
      page: paging.request,
      baseUrl,
      unmodifiedSince,
      raw: rawRequestOf(requestContext, operation.body),
      ...source,
    };
    const result = operation.handle(call);
    if (result instanceof Promise) {
      return result.then(
        (value) => settled(context, answerWith(requestContext, operation.answer, value, paging)),
        (error: unknown) => settled(context, answerThrown(requestContext, context, operation, error)),
      );
    }
    if (key !== undefined) {
      const page = pageOf(requestContext, result as AnyPage, paging);
      dependencies.pages.keep(key, context.store.version, page);
      return lookSettled(context, answerPage(requestContext, page));
    }
    return lookSettled(context, answerWith(requestContext, operation.answer, result, paging));
  } catch (error) {
    return lookSettled(context, answerThrown(requestContext, context, operation, error));
  } finally {
    context.activity.leave();
  }
}

/** All documents are in memory: one user may not fill it within minutes. Throws 429. */
function limitWriting({ limits }: RouterDependencies, { request, work }: RequestContext, userId: number): void {
  if (request.method !== "DELETE") limits.requireWritable(userId);
  work.onWritten = (bytes) => limits.noteWritten(userId, bytes);
}

function answerThrown(
  requestContext: RequestContext,
  context: Context,
  operation: Operation,
  thrown: unknown,
): Response {
  if (operation.http?.isReceiver) return answerBare(requestContext, context.log, thrown);
  return thrown instanceof ProjectMoved
    ? answerMoved(requestContext, thrown)
    : answerFailure(requestContext, context.log, thrown);
}

/**
 * The key of an answered page; undefined for what is not cached. Apart from the store, a page depends on its URL, its caller and
 * the time. A second is short enough for what expires, and long enough for clients that ask again and again.
 */
function pageKey(
  { context }: RouterDependencies,
  requestContext: RequestContext,
  caller: Caller,
  { answer }: Operation,
): string | undefined {
  if (answer.kind !== "page" || hasBody(requestContext.request)) return undefined;
  if (!context.get(Features).isEnabled("list_response_cache")) return undefined;
  const { user, token, job } = caller;
  const second = Math.floor(context.clock.now() / 1000);
  return `${user?.id} ${token?.id} ${job?.id} ${second} ${requestContext.baseUrl}${requestContext.path}?${requestContext.search}`;
}

/** Credentials first, then the limits on requests: those with bad credentials count for their address. */
function admit(
  { context, limits }: RouterDependencies,
  requestContext: RequestContext,
  values: RawValues,
  operation: Operation,
): Caller | Response {
  const throttle = () =>
    operation.root === true ? undefined : limits.throttle(requestContext, settingsOf(context), requestContext.userId);
  try {
    const caller = identifyCaller(context, requestContext, values, operation);
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

/**
 * Delays the response, to a read or of an error too, until the state that it may show is on disk. So no client sees a
 * state that a crash undoes.
 */
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
