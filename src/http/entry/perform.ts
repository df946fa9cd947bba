import type { Caller, SignedInCaller } from "../../domain/caller.ts";
import { ProjectMoved } from "../../domain/failure.ts";
import { Features } from "../../modules/admin/feature-flags/index.ts";
import { authorizeSource } from "../../modules/core/access/index.ts";
import { settingsOf } from "../../modules/core/application-settings/index.ts";
import { WriteQuota } from "../../modules/core/users/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { AnyPage, Operation } from "../../modules/kernel/operation.ts";
import { refusalAfter, refusalBefore, refuse } from "../auth/admission.ts";
import { anonymous, identifyCaller } from "../auth/caller.ts";
import { hasBody } from "../body/body.ts";
import { RequestBody } from "../body/raw-body.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { PathValues, RawValues } from "../params/values.ts";
import { answerCachedPage } from "../responses/cached-page.ts";
import { answerBare, answerFailure, answerMoved } from "../responses/failures.ts";
import { type PagedAnswer, type Paging, readPaging } from "../responses/pagination.ts";
import { readUnmodifiedSince } from "../responses/preconditions.ts";
import type { ResponseCache } from "../responses/response-cache.ts";
import { answerPage, answerWith, pageOf } from "../responses/responses.ts";
import { handleInSlices } from "./paused-work.ts";
import { addReason, type RefusedCall } from "./refusal-reason.ts";
import type { RequestContext } from "./request-context.ts";
import { compileRoute, namedPath, type Route } from "./routes.ts";

/** The dependencies of every operation. */
export interface RouterDependencies {
  readonly context: Context;
  readonly limits: RateLimits;
  readonly pages: ResponseCache<AskedPage>;
  /** The answers of paths without parameters to unsupported methods. */
  readonly otherMethods: Map<string, (request: Request) => Response>;
}

/** The request for a cached page. */
export interface AskedPage {
  readonly route: Route;
  /** The user who owns the token, for rate limits. */
  readonly userId: number | undefined;
}

const firstPage: Paging = { request: { kind: "offset", page: 1, perPage: 20 } };

/** Authorizes the caller, reads the parameters and answers with the result of the operation. */
export function perform(
  dependencies: RouterDependencies,
  route: Route,
  requestContext: RequestContext,
  values: RawValues,
  path: PathValues,
): Response | Promise<Response> {
  const { operation } = route;
  const { context } = dependencies;
  // After a body, the code runs in another turn of the event loop.
  context.activity.enter(route.number);
  context.store.beginRead();
  const startedAt = context.clock.now();
  let caller: Caller | undefined;
  try {
    const admitted = operation.http?.isReceiver
      ? anonymous(requestContext)
      : admit(dependencies, requestContext, values, operation);
    if (admitted instanceof Response) return admitted;
    caller = admitted;
    refuseBefore(dependencies, requestContext, operation, caller);
    const { call, paging } = readCall(dependencies, route, requestContext, { caller, values, path });
    requestContext.load.requireRoomFor(requestContext.userId);
    const { version } = context.store;
    const result = handleInSlices(route, requestContext, context.activity, () => operation.handle(call));
    if (result instanceof Promise) {
      const { work } = requestContext;
      work.confirm = caller.confirm;
      const leave = requestContext.load.wait(requestContext.userId);
      const end = () => {
        leave();
        // Work that continues after the request does not belong to it.
        work.confirm = undefined;
      };
      return result.finally(end).then(
        (value) => settled(context, answerWith(requestContext, operation.answer, value, paging)),
        (error: unknown) => settled(context, answerThrown(requestContext, context, { route, path, caller }, error)),
      );
    }
    if (isCacheable(context, requestContext, operation)) {
      const page = pageOf(requestContext, result as AnyPage, paging);
      const asked = { route, userId: requestContext.userId };
      dependencies.pages.keep(requestContext, { version, now: startedAt }, page, asked);
      return readSettled(context, answerPage(requestContext, page));
    }
    return readSettled(context, answerWith(requestContext, operation.answer, result, paging));
  } catch (error) {
    return readSettled(context, answerThrown(requestContext, context, { route, path, caller }, error));
  } finally {
    context.activity.leave();
  }
}

/** Throws for rate limits, and for refusals that depend on the caller alone. */
function refuseBefore(
  dependencies: RouterDependencies,
  requestContext: RequestContext,
  operation: Operation,
  caller: Caller,
): void {
  const requestLimit = operation.http?.requestLimit;
  if (requestLimit !== undefined && caller.user?.is_admin === false) {
    const { [requestLimit]: limit, [`${requestLimit}_allowlist` as const]: exempt } = settingsOf(dependencies.context);
    const { id, username } = caller.user;
    const isExempt = exempt.some((each) => each.toLowerCase() === username.toLowerCase());
    if (!isExempt) dependencies.limits.limitEndpoint(operation.path, id, limit);
  }
  refuse(refusalBefore(operation, caller), operation);
  if (operation.method === "GET") return;
  const isAlwaysAccepted = operation.method === "DELETE" || operation.http?.isSignIn === true;
  requestContext.work.isEssential = isAlwaysAccepted || caller.user?.is_admin === true;
  if (caller.user === undefined) return;
  const quota = dependencies.context.get(WriteQuota);
  if (isAlwaysAccepted) quota.enterUnlimited(caller.user);
  else quota.enter(caller.user);
}

/** Counts a request. Returns the answer when its user or address has sent too many, else undefined. */
function throttled(
  { context, limits }: RouterDependencies,
  { root }: Operation,
  requestContext: RequestContext,
): Response | undefined {
  return root === true ? undefined : limits.throttle(requestContext, settingsOf(context), requestContext.userId);
}

/**
 * Answers with the page that the same caller got from the same address in this second, if nothing has changed since. Returns
 * undefined without such a page. The first request of the second has recorded the use of the token and the activity of the
 * user.
 */
export function performAgain(
  dependencies: RouterDependencies,
  requestContext: RequestContext,
): Response | Promise<Response> | undefined {
  const { context, pages } = dependencies;
  if (requestContext.request.method !== "GET") return undefined;
  const cached = pages.find(requestContext, { version: context.store.version, now: context.clock.now() });
  if (cached === undefined || hasBody(requestContext.request)) return undefined;
  const { route, userId } = cached.asked;
  const { operation } = route;
  requestContext.enter(operation);
  requestContext.userId = userId;
  context.activity.enter(route.number);
  try {
    const refused = throttled(dependencies, operation, requestContext);
    const answer = refused ?? settled(context, answerCachedPage(requestContext, cached));
    if (answer instanceof Promise) context.activity.follow(route.number, answer);
    return answer;
  } finally {
    context.activity.leave();
  }
}

/**
 * True when the page may be cached: not in a sandbox, which may delay or refuse requests, and not for operations with a rate
 * limit.
 */
function isCacheable(context: Context, { request }: RequestContext, { answer, http }: Operation): boolean {
  if (answer.kind !== "page" || answer.isOutsideStore) return false;
  if (context.sandbox !== undefined || http?.requestLimit !== undefined) return false;
  return request.method === "GET" && !hasBody(request) && context.get(Features).isEnabled("list_response_cache");
}

interface Given {
  readonly caller: Caller;
  readonly values: RawValues;
  readonly path: PathValues;
}

/** Reads the parameters, and finds the project or group of the operation. Throws the refusal of the call. */
function readCall(
  { context }: RouterDependencies,
  route: Route,
  requestContext: RequestContext,
  { caller, values, path }: Given,
) {
  const { operation } = route;
  const { who } = operation;
  const named = namedPath(route, path);
  const isSourceFirst = typeof who === "object" && who.isCheckedFirst;
  const sourceBefore = isSourceFirst ? authorizeSource(context, caller, who, named.id as string) : undefined;
  route.reader ??= compileRoute(operation, context.edition);
  const params = route.reader(values, named);
  refuse(refusalAfter(operation, caller, context.edition), operation);
  const source =
    typeof who === "string" || isSourceFirst
      ? sourceBefore
      : authorizeSource(context, caller, who, params.id as string | number);
  const paging = operation.answer.kind === "page" ? readPage(context, operation.answer, params) : firstPage;
  const { baseUrl } = requestContext;
  const call = {
    context,
    caller: caller as SignedInCaller,
    params,
    rawParams: values,
    page: paging.request,
    baseUrl,
    unmodifiedSince: readUnmodifiedSince(requestContext.request),
    raw: new RequestBody(requestContext, operation.body),
    ...source,
  };
  return { call, paging };
}

function answerThrown(requestContext: RequestContext, context: Context, call: RefusedCall, thrown: unknown): Response {
  const { log } = context;
  if (call.route.operation.http?.isReceiver) {
    return addReason(context, call, thrown, answerBare(requestContext, log, thrown));
  }
  const isMoved = thrown instanceof ProjectMoved;
  const answer = isMoved ? answerMoved(requestContext, thrown) : answerFailure(requestContext, log, thrown);
  return addReason(context, call, thrown, answer);
}

/** Checks the credentials, then the rate limits. Requests with bad credentials count for their address. */
function admit(
  dependencies: RouterDependencies,
  requestContext: RequestContext,
  values: RawValues,
  operation: Operation,
): Caller | Response {
  const throttle = () => throttled(dependencies, operation, requestContext);
  try {
    const caller = identifyCaller(dependencies.context, requestContext, values, operation);
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
 * Delays the response, also to a read or with an error, until the state that it may show is on disk. So no client sees a
 * state that a crash undoes.
 */
function settled(context: Context, response: Response): Response | Promise<Response> {
  return after(context.store.settled(), response);
}

/** Does what `settled` does for a synchronous answer, which waits only for what it has read. */
function readSettled(context: Context, response: Response): Response | Promise<Response> {
  return after(context.store.readSettled(), response);
}

function after(pending: Promise<void> | undefined, response: Response): Response | Promise<Response> {
  return pending === undefined ? response : pending.then(() => response);
}
