import { includesTier } from "../../domain/edition.ts";
import { Failure, unknownRoute } from "../../domain/failure.ts";
import { withBudget } from "../../domain/work-budget.ts";
import { parameterNamesOf } from "../../modules/admin/recent-requests/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import { type ErrorFormat, isDeep, type Operation } from "../../modules/kernel/operation.ts";
import { anyArea, areaOf, type OperationTable } from "../../modules/kernel/operation-table.ts";
import { hasBody, readBody } from "../body/body.ts";
import { bodySizesOf, senderOf, strangersRefusal } from "../body/body-rules.ts";
import { readQuery } from "../body/query.ts";
import { refuseUndeclaredType } from "../body/raw-body.ts";
import { answerWithPreferred, workWithFaults } from "../faults/faults.ts";
import type { PathValues } from "../params/values.ts";
import { mergeValues } from "../params/values.ts";
import { preflightHeaders } from "../responses/cors.ts";
import { answerFailure } from "../responses/failures.ts";
import { respond } from "../responses/responses.ts";
import { answerUnknown } from "../web-addresses/answer.ts";
import { type Ask, askFor, type MountFor } from "../web-addresses/ask.ts";
import type { Matcher } from "./matcher.ts";
import { perform, type RouterDependencies } from "./perform.ts";
import { type RequestContext, requestContextOf } from "./request-context.ts";
import { apiPrefix, namedPath, pathSpellings, type Route, readyRoute, wildcardPaths } from "./routes.ts";
import { DeepPaths } from "./wildcard-routes.ts";

/** The time left for sending an answer that comes at the end of a long poll. */
const holdMarginSeconds = 10;

/**
 * Adds the operations to the matcher. A known path with another method answers 405, or OPTIONS. The first request for an
 * area loads and mounts its operations, since mounting all takes a quarter of a start.
 */
export function mountOperations(
  matcher: Matcher,
  operations: OperationTable,
  dependencies: RouterDependencies,
): MountFor {
  const { context } = dependencies;
  const deep = new DeepPaths<Route>();
  const mounting = new Map<string, Promise<void>>();
  const mounted = new Set<string>();
  const mount = async (area: string) => {
    const served = (await operations.of(area)).filter(({ http }) => isServed(http?.partOf, context));
    for (const operation of served.filter(isDeep)) {
      for (const path of wildcardPaths(operation)) deep.add(operation.method, path, readyRoute(operation, context));
    }
    const others = served.filter((operation) => !isDeep(operation));
    mountArea(matcher, others, dependencies);
    mounted.add(area);
  };
  const mountOnce = (area: string) => {
    if (mounted.has(area) || !operations.has(area)) return undefined;
    const known = mounting.get(area) ?? mount(area);
    mounting.set(area, known);
    return known;
  };
  const mountFor = (path: string) =>
    mountOnce(areaOf(path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path));
  const ask = (requestContext: RequestContext) => askFor(requestContext, matcher, mountFor);
  matcher.setUnmatched(({ request }) => {
    const pending = mountOnce(anyArea);
    if (pending === undefined) return runDeep(dependencies, deep, request, ask);
    return pending.then(() => runDeep(dependencies, deep, request, ask));
  });
  return mountFor;
}

/** True when the server has this part. */
function isServed(part: "sandbox" | "console" | undefined, context: Context): boolean {
  return part === undefined || context[part] !== undefined;
}

/** Mounts operations, with answers for the other methods of their paths. */
function mountArea(matcher: Matcher, operations: readonly Operation[], dependencies: RouterDependencies): void {
  const { context } = dependencies;
  const methodsOf = new Map<string, Set<string>>();
  const errorFormatOf = new Map<string, ErrorFormat | undefined>();
  for (const operation of operations) {
    const route = readyRoute(operation, context);
    for (const path of pathSpellings(operation)) {
      const methods = methodsOf.get(path) ?? new Set();
      methodsOf.set(path, methods.add(operation.method));
      errorFormatOf.set(path, operation.errorFormat);
      matcher.add(operation.method, path, ({ request, params }) => serve(dependencies, route, request, params));
    }
  }
  for (const [path, methods] of methodsOf) {
    const allow = allowedMethods(methods);
    const errorFormat = errorFormatOf.get(path);
    const answer = (request: Request) => answerOtherMethod(context, request, allow, errorFormat);
    matcher.add("ALL", path, ({ request }) => preferred(context, requestContextOf(request), () => answer(request)));
    if (!path.includes(":")) dependencies.otherMethods.set(path, answer);
  }
}

/** Handles requests that match no other path. */
function runDeep(
  dependencies: RouterDependencies,
  deep: DeepPaths<Route>,
  request: Request,
  ask: (requestContext: RequestContext) => Ask,
): Response | Promise<Response> {
  const { context } = dependencies;
  const requestContext = requestContextOf(request);
  const found = deep.find(requestContext.path);
  if (found === undefined)
    return preferred(context, requestContext, () => answerUnknown(requestContext, context, ask(requestContext)));
  const { method } = requestContext.request;
  const route = found.methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    const [other] = found.methods.values();
    const allow = allowedMethods(new Set(found.methods.keys()));
    return preferred(context, requestContext, () =>
      answerOtherMethod(context, request, allow, other?.operation.errorFormat),
    );
  }
  return serve(dependencies, route, request, found.values);
}

/** Answers a request that matches no operation; in a sandbox, with the fault that it asks for. */
function preferred(
  context: Context,
  requestContext: RequestContext,
  answer: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const { sandbox } = context;
  return sandbox === undefined ? answer() : answerWithPreferred({ context, sandbox, requestContext }, answer);
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

function serve(
  dependencies: RouterDependencies,
  route: Route,
  request: Request,
  path: PathValues,
): Response | Promise<Response> {
  const { context } = dependencies;
  const { sandbox } = context;
  if (sandbox === undefined) return run(dependencies, route, request, path);
  const call = { context, sandbox, operation: route.operation, requestContext: requestContextOf(request) };
  return workWithFaults(call, () => run(dependencies, route, request, path));
}

/** Runs an operation. Without a body, everything up to the answer is synchronous, so a read needs no promise. */
function runOperation(
  dependencies: RouterDependencies,
  route: Route,
  requestContext: RequestContext,
  path: PathValues,
): Response | Promise<Response> {
  const { log } = dependencies.context;
  const { request } = requestContext;
  requestContext.enter(route.operation);
  const longPollSeconds = route.operation.http?.longPollSeconds;
  if (longPollSeconds !== undefined) requestContext.hold(longPollSeconds + holdMarginSeconds);
  try {
    const { tier, isUnknownBelowTier } = route.operation;
    if (isUnknownBelowTier && tier !== undefined && !includesTier(dependencies.context.edition, tier))
      throw unknownRoute();
    if (!route.digits.every((place) => /^-?\d+$/.test(path[place] as string))) {
      return answerWithoutId(dependencies, requestContext);
    }
    const query = readQuery(requestContext.search);
    const { body: declared } = route.operation;
    if (typeof declared === "object") refuseUndeclaredType(request, declared);
    if (!hasBody(request)) return perform(dependencies, route, requestContext, query, path);
    const head = { requestContext, operation: route.operation, query, path: namedPath(route, path) };
    requestContext.sender = senderOf(dependencies.context, head);
    if (declared !== undefined) return closeUnread(request, perform(dependencies, route, requestContext, query, path));
    route.sizes ??= bodySizesOf(route.operation);
    const refuseStranger = () => strangersRefusal(dependencies.context, head);
    const limits = { ...route.sizes, sender: requestContext.sender, refuseStranger };
    // Otherwise bodies that arrive together would all be handled in one turn of the event loop.
    return arrival(dependencies.context, () => readBody(request, limits)).then(
      (body) => {
        requestContext.bodyNames = parameterNamesOf(body);
        const work = () => perform(dependencies, route, requestContext, mergeValues(query, body), path);
        return requestContext.inTurn(() => withBudget(requestContext.work, work));
      },
      (error: unknown) => answerFailure(requestContext, log, error),
    );
  } catch (error) {
    return answerFailure(requestContext, log, error);
  }
}

/**
 * Answers for `PUT /jobs/request` and the like: a fixed path that matches `/jobs/:id` but has other methods. Throws 404
 * where there is none.
 */
function answerWithoutId({ otherMethods }: RouterDependencies, { path, request }: RequestContext): Response {
  const answer = otherMethods.get(path);
  if (answer === undefined) throw unknownRoute();
  return answer(request);
}

/** Reads the body outside of the gate, so that a slow sender does not delay a checkpoint or a restore. */
function arrival<R>({ sandbox }: Context, read: () => Promise<R>): Promise<R> {
  return sandbox === undefined ? read() : sandbox.gate.outside(read);
}

/** Closes the connection if the body was not read, since the connection cannot be reused. */
async function closeUnread(request: Request, answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!request.bodyUsed) response.headers.set("Connection", "close");
  return response;
}
