import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import { withoutTokens } from "../../../lib/text/path-secrets.ts";
import { users } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { RecentRequestEntity } from "./schema.ts";
import type { RecentRequest } from "./service.ts";

const parametersMax = 50;

export function presentRecentRequest(
  request: RecentRequest,
  { context: { store } }: View,
): Static<typeof RecentRequestEntity> {
  const { id, answeredMs, durationMs, method, path, search, fields, route, status, userId, requestId } = request;
  const user = userId === undefined ? undefined : store.of(users).get(userId);
  const names = new Set([...new URLSearchParams(search).keys(), ...fields]);
  return {
    ...{ id, answered_at: toDateTime(answeredMs), duration_ms: Math.round(durationMs * 1000) / 1000, method },
    ...{ path: withoutTokens(path), route: route ?? null, status, user: user?.username ?? null },
    request_id: requestId,
    parameters: [...names].slice(0, parametersMax),
    size: Number(request.contentLength ?? 0),
    reason: request.refusal?.() ?? null,
  };
}
