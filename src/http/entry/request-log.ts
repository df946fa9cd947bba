import { shownPath } from "../../lib/text/path-secrets.ts";
import { Features } from "../../modules/admin/feature-flags/index.ts";
import { RecentRequests, type RequestRing } from "../../modules/admin/recent-requests/index.ts";
import { UnknownCalls } from "../../modules/admin/unknown-calls/index.ts";
import { users } from "../../modules/core/users/records.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { RequestMetrics } from "../metrics/index.ts";
import type { RequestContext } from "./request-context.ts";

/** The duration from which `slow_request_warnings` logs a request. */
const slowMs = 1000;

/**
 * Logs a request and updates the metrics. The line never has a token, a query or a body. The path is the operation's
 * pattern; the request's own path is only for people, and for unknown paths. Server errors are logged even if flags turn off
 * the log.
 */
export function logRequest(
  context: Context,
  metrics: RequestMetrics,
  requestContext: RequestContext,
  { status }: Response,
): void {
  const { log, store } = context;
  const features = context.get(Features);
  const { requestId, startedAt, userId, work, path } = requestContext;
  const { method, headers } = requestContext.request;
  const route = requestContext.route ?? "unknown";
  const durationMs = performance.now() - startedAt;
  const isUnknown = requestContext.route === undefined && (status === 404 || status === 405);
  if (isUnknown) context.get(UnknownCalls).note(method, path);
  rememberRequest(context.get(RecentRequests), requestContext, status, durationMs);
  metrics.observe({ method, route, status, seconds: durationMs / 1000 });
  const isSlow = durationMs >= slowMs && features.isEnabled("slow_request_warnings");
  const actor = userId === undefined ? undefined : ({ type: "User", id: userId } as const);
  const isLogged = status >= 500 || features.isEnabled("request_log", actor);
  if (!isSlow && !isLogged) return;
  const fields = {
    request_id: requestId,
    method,
    route,
    path: log.isForPeople || requestContext.route === undefined ? shownPath(path, requestContext.route) : undefined,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    user_id: userId,
    username: userId === undefined ? undefined : store.of(users).get(userId)?.username,
  };
  if (isSlow) log.warn(fields, "slow request");
  if (!isLogged) return;
  if (!features.isEnabled("request_log_details", actor)) {
    log.info(fields, "request");
    return;
  }
  const details = {
    ip_address: requestContext.ipAddress(),
    user_agent: headers.get("user-agent"),
    steps: Math.round(work.steps),
  };
  log.info({ ...fields, ...details }, "request");
}

type RememberedRequest = Pick<
  RequestContext,
  "request" | "path" | "search" | "requestId" | "route" | "userId" | "bodyNames" | "responseBytes" | "refusal"
>;

/** Records the request for the request inspector. Stores only references, since every request does this. */
export function rememberRequest(
  ring: RequestRing,
  requestContext: RememberedRequest,
  status: number,
  durationMs: number,
): void {
  const { request, path, search } = requestContext;
  const entry = ring.add(path, search, status);
  entry.requestId = requestContext.requestId;
  entry.method = request.method;
  entry.route = requestContext.route;
  entry.durationMs = durationMs;
  entry.userId = requestContext.userId;
  entry.bodyNames = requestContext.bodyNames;
  entry.requestBytes = request.method === "GET" ? null : request.headers.get("content-length");
  entry.responseBytes = requestContext.responseBytes;
  entry.refusal = requestContext.refusal;
}
