/** HTTP Archive 1.2 of exchanges. */

import { toDateTime } from "../../../lib/datetime.ts";
import { statusTextOf } from "../../../lib/text/status-text.ts";
import type { Exchange, Message } from "./exchanges.ts";

/** The begin of a file, to be followed by entries with commas between them. */
export function harHead(version: string): string {
  return `{"log":{"version":"1.2","creator":{"name":"Outpost","version":${JSON.stringify(version)}},"entries":[\n`;
}

export const harTail = "\n]}}\n";

/** One entry. What HAR has no field for begins with `_`, as it asks. */
export function harEntry(exchange: Exchange): string {
  const { startedMs, durationMs, method, url, status, user, route, requestId, request, response } = exchange;
  const time = Math.round(durationMs * 1000) / 1000;
  const query = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  const common = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1 };
  return JSON.stringify({
    startedDateTime: toDateTime(startedMs),
    time,
    request: {
      ...{ method, url, ...common, headers: request.headers, queryString: query, bodySize: request.size ?? -1 },
      ...(request.body === null ? {} : { postData: { mimeType: typeOf(request), params: [], ...textOf(request) } }),
    },
    response: {
      ...{ status, statusText: statusTextOf(status) ?? "", ...common, headers: response.headers },
      content: { size: response.size ?? -1, mimeType: typeOf(response), ...textOf(response) },
      ...{ redirectURL: headerOf(response, "location"), bodySize: response.size ?? -1 },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...{ _route: route, _user: user, _requestId: requestId },
  });
}

function textOf({ body, is_base64, is_cut }: Message) {
  if (body === null) return {};
  return { text: body, ...(is_base64 ? { encoding: "base64" } : {}), ...(is_cut ? { _cut: true } : {}) };
}

function typeOf(message: Message): string {
  return headerOf(message, "content-type");
}

function headerOf({ headers }: Message, wanted: string): string {
  return headers.find(({ name }) => name === wanted)?.value ?? "";
}
