import { Failure, type FailureKind, type ProjectMoved } from "../../domain/failure.ts";
import { Throttled } from "../../domain/window-counter.ts";
import { OverBudget } from "../../domain/work-budget.ts";
import { isFdLimit } from "../../lib/fd-limit.ts";
import type { Log } from "../../lib/log.ts";
import { overloaded } from "../../modules/kernel/request-load.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { limitHeaders } from "../limits/rate-limits.ts";
import { respond, respondJson } from "./responses.ts";

/** The status of each kind of error (rest-conventions 6). */
const statuses: Readonly<Record<FailureKind, number>> = {
  unchanged: 304,
  parameters: 400,
  invalid: 400,
  unauthenticated: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  unknown_route: 404,
  not_allowed: 405,
  too_slow: 408,
  not_acceptable: 406,
  conflict: 409,
  captcha: 409,
  precondition: 412,
  too_large: 413,
  too_long: 414,
  unsupported_type: 415,
  range: 416,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
  timeout: 504,
  no_room: 507,
};

export function statusOf(kind: FailureKind): number {
  return statuses[kind];
}

/** Returns the first kind of error with a status. */
export function kindOfStatus(status: number): FailureKind | undefined {
  return (Object.keys(statuses) as FailureKind[]).find((kind) => statuses[kind] === status);
}

/**
 * Returns the answer for a thrown value: 503 if no file descriptor was left. Anything else but a `Failure` is a bug: it is
 * logged with the request's id and answered with 500.
 */
export function answerFailure(requestContext: RequestContext, log: Log, thrown: unknown): Response {
  const { errorFormat } = requestContext;
  if (isFdLimit(thrown)) return answerFailure(requestContext, log, exhausted(requestContext, log, thrown));
  if (!(thrown instanceof Failure)) {
    log.error(
      { request_id: requestContext.requestId, route: requestContext.route, error: describe(thrown) },
      "unforeseen error",
    );
    return respondJson(
      requestContext,
      500,
      errorFormat?.failureBody(undefined) ?? { message: "500 Internal Server Error" },
    );
  }
  if (thrown instanceof OverBudget) noteOverBudget(requestContext, log, thrown);
  requestContext.refusal = thrown.body;
  if (thrown.kind === "unchanged") return respond(requestContext, statuses.unchanged, null, {});
  if (thrown.isPlainText) {
    const headers = { ...headersOf(requestContext, thrown), "Content-Type": "text/plain; charset=utf-8" };
    return respond(requestContext, statuses[thrown.kind], `${thrown.message}\n`, headers);
  }
  const bare = thrown.isBareStatus ? statuses[thrown.kind] : undefined;
  const body = bare ?? errorFormat?.failureBody(thrown) ?? thrown.body;
  return respondJson(requestContext, statuses[thrown.kind], body, headersOf(requestContext, thrown));
}

/** Answers a failure without a body, for ingestion endpoints. The answer to a rate limit has a body. */
export function answerBare(requestContext: RequestContext, log: Log, thrown: unknown): Response {
  if (isFdLimit(thrown)) return answerBare(requestContext, log, exhausted(requestContext, log, thrown));
  if (!(thrown instanceof Failure)) {
    const { status } = answerFailure(requestContext, log, thrown);
    return respond(requestContext, status, null, {});
  }
  requestContext.refusal = thrown.body;
  if (thrown instanceof Throttled) {
    return respond(requestContext, statuses.too_many, thrown.message, limitHeaders(thrown.limit, thrown.state));
  }
  const { retryAfterSeconds, headers } = thrown;
  const retryAfter = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return respond(requestContext, statuses[thrown.kind], null, { ...retryAfter, ...headers });
}

/**
 * Answers a request for the former path of a project: redirects GET and HEAD to its id, with the rest of the path and the
 * query, and refuses other methods (groups-and-projects 6).
 */
export function answerMoved(requestContext: RequestContext, { projectId }: ProjectMoved): Response {
  const { request, path, search, baseUrl } = requestContext;
  if (request.method !== "GET" && request.method !== "HEAD") {
    return respondJson(requestContext, statuses.not_allowed, {
      message: "Non GET methods are not allowed for moved projects",
    });
  }
  const rest = path.replace(/^(\/api\/v4\/projects\/)[^/]+/, `$1${projectId}`);
  const location = `${baseUrl}${rest}${search === "" ? "" : `?${search}`}`;
  return respond(requestContext, 301, `This resource has been moved permanently to ${location}`, {
    Location: location,
    "Content-Type": "text/plain",
  });
}

function noteOverBudget({ requestId, route, work }: RequestContext, log: Log, { workCause }: OverBudget): void {
  log.warn(
    { request_id: requestId, route, cause: workCause, steps: Math.round(work.steps) },
    "too much work for one request",
  );
}

function exhausted({ requestId, route }: RequestContext, log: Log, thrown: unknown): Failure {
  log.warn({ request_id: requestId, route, error: String(thrown) }, "the system opens no more files");
  return overloaded();
}

function headersOf(requestContext: RequestContext, failure: Failure): Record<string, string> {
  return { ...headersOfKind(requestContext, failure), ...failure.headers };
}

function headersOfKind(requestContext: RequestContext, { kind, retryAfterSeconds }: Failure): Record<string, string> {
  if (retryAfterSeconds !== undefined) return { "Retry-After": String(retryAfterSeconds) };
  switch (kind) {
    case "unauthenticated":
    case "invalid_token":
      return {
        "WWW-Authenticate":
          requestContext.basicRealm === undefined
            ? 'Bearer realm="Protected by OAuth 2.0"'
            : `Basic realm="${requestContext.basicRealm}"`,
      };
    case "too_large":
      // The rest of the body was not read, so the connection cannot be reused.
      return requestContext.request.body === null ? {} : { Connection: "close" };
    default:
      return {};
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
