import type { RequestContext } from "../entry/request-context.ts";
import { compressed } from "./compression.ts";
import { smallBytesMax } from "./json-stream.ts";
import { type CachedPage, type SentPage, sentMax } from "./response-cache.ts";
import { addUsualHeaders, answerPage, closesConnection, jsonType, revalidated, runtimeOf, tagOf } from "./responses.ts";

/** The longest `Accept-Encoding` of a cached page, in characters. Clients send some tens. */
const codingLengthMax = 128;

/** Answers with a cached page, whose headers are prepared once. */
export function answerCachedPage(requestContext: RequestContext, page: CachedPage<unknown>): Response {
  const { headers } = requestContext.request;
  const isUsual =
    page.body.bytes.length <= smallBytesMax &&
    headers.get("if-none-match") === null &&
    headers.get("origin") === null &&
    !closesConnection(requestContext.request);
  if (!isUsual) return answerPage(requestContext, page);
  const coding = headers.get("accept-encoding") ?? "";
  const sent = page.sent.get(coding) ?? makeSent(requestContext, page);
  if (page.sent.size < sentMax && coding.length <= codingLengthMax) page.sent.set(coding, sent);
  // A response copies the headers that it is made with.
  sent.headers.set("X-Request-Id", requestContext.requestId);
  sent.headers.set("X-Runtime", runtimeOf(requestContext));
  requestContext.responseBytes = sent.body.length;
  return new Response(sent.body, { status: 200, headers: sent.headers });
}

function makeSent(requestContext: RequestContext, { body, headers }: CachedPage<unknown>): SentPage {
  const all: Record<string, string> = {
    ...headers,
    "Cache-Control": revalidated,
    ETag: tagOf(body),
    "Content-Type": jsonType,
  };
  const sent = compressed(requestContext.request, body.bytes, all);
  addUsualHeaders(requestContext, all);
  return { body: sent, headers: new Headers(all) };
}
