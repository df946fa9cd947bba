import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Exchange } from "./exchanges.ts";
import type { RequestEntity } from "./schema.ts";

export function presentRequest(exchange: Exchange): Static<typeof RequestEntity> {
  const { id, startedMs, durationMs, method, url, route, status, user, requestId, request, response } = exchange;
  const message = ({ headers, ...rest }: Exchange["request"]) => ({ headers: [...headers], ...rest });
  return {
    ...{ id, started_at: toDateTime(startedMs), duration_ms: Math.round(durationMs * 1000) / 1000 },
    ...{ method, url, route, status, user, request_id: requestId },
    request: message(request),
    response: message(response),
  };
}
