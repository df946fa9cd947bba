import type { Static } from "@sinclair/typebox";
import type { FailureBody } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { shownPath, withoutTokens } from "../../../lib/text/path-secrets.ts";
import { users } from "../../core/users/records.ts";
import { pathParameters } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import type { RequestEntry } from "./ring.ts";
import type { RecentRequest, RecentRequestDetails } from "./schema.ts";

const apiPrefix = "/api/v4";
const namesMax = 50;

export function presentRecentRequest(
  entry: RequestEntry,
  { context }: Pick<View, "context">,
): Static<typeof RecentRequest> {
  const { id, requestId, method, route, status, durationMs, userId } = entry;
  return {
    id,
    at: toDateTime(entry.atMs),
    request_id: requestId,
    method,
    route: route ?? null,
    path: shownPath(entry.path, entry.route),
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    username: userId === undefined ? null : (context.store.of(users).get(userId)?.username ?? null),
  };
}

export function presentRecentRequestDetails(
  entry: RequestEntry,
  view: Pick<View, "context">,
): Static<typeof RecentRequestDetails> {
  const { requestBytes, responseBytes, userId } = entry;
  return {
    ...presentRecentRequest(entry, view),
    user_id: userId ?? null,
    parameters: parametersOf(entry),
    request_bytes: requestBytes === null ? null : Number(requestBytes),
    response_bytes: responseBytes ?? null,
    refusal: refusalOf(entry),
    explanation: explanationOf(entry, view),
  };
}

function parametersOf({
  route = "",
  search,
  bodyNames = [],
}: RequestEntry): Static<typeof RecentRequestDetails>["parameters"] {
  const named = (names: Iterable<string>, place: "path" | "query" | "body") =>
    [...new Set(names)].slice(0, namesMax).map((name) => ({ name: withoutTokens(name), in: place }));
  return [
    ...named(pathParameters(route), "path"),
    ...named(new URLSearchParams(search).keys(), "query"),
    ...named(bodyNames, "body"),
  ];
}

function refusalOf({ status, refusal }: RequestEntry): string | null {
  if (status < 400) return null;
  if (refusal !== undefined) return withoutTokens(sentenceOf(refusal));
  if (status === 429) return "Too many requests in a period; see the settings of limits";
  return status >= 500 ? "An unforeseen error: the log has it, under the id of the request" : "The answer says no more";
}

function sentenceOf({ message, error, error_description, scope }: FailureBody): string {
  if (scope !== undefined) return `The token needs one of the scopes ${scope}`;
  if (typeof message === "string") return message;
  if (message !== undefined) return JSON.stringify(message);
  return error_description ?? error ?? "";
}

function explanationOf(
  { status, route, method, path, userId }: RequestEntry,
  { context }: Pick<View, "context">,
): string | null {
  if (status !== 403 && status !== 404) return null;
  if (route === undefined) return "no operation answers this method and path";
  const below = path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path;
  if (userId !== undefined && context.store.of(users).get(userId) === undefined) return null;
  const found = context.explainCall(context, { userId, method, path: below });
  if (found === undefined) return null;
  const { user, rule, role, reason } = found;
  return `${user}${role === null ? "" : `, ${role.name} there`}: ${reason}. The operation is for ${rule}.`;
}
