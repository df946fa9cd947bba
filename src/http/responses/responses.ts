import { Failure } from "../../domain/failure.ts";
import type { Page } from "../../domain/page.ts";
import { JsonText } from "../../lib/text/json-text.ts";
import type { SandboxClock } from "../../modules/kernel/context.ts";
import type { Answer, FileAnswer, FileContent, PlainAnswer, ResponseVariant } from "../../modules/kernel/operation.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { compressed } from "./compression.ts";
import { addCorsHeaders } from "./cors.ts";
import { LargeJson, listJson, valueJson } from "./json-stream.ts";
import { type BodyInMemory, countedStream, sendable } from "./large-body.ts";
import type { Paging } from "./pagination.ts";
import { pagingHeaders } from "./paging-headers.ts";
import { rangeOf } from "./ranges.ts";
import type { AnsweredPage } from "./response-cache.ts";
import { sandboxMark } from "./sandbox-mark.ts";

/** Without a charset, since clients compare the whole header (rest-conventions 1). */
export const jsonType = "application/json";

/** Builds the `Response` of a request, with the headers of every answer (rest-conventions 4). */
export function respond(
  requestContext: RequestContext,
  status: number,
  body: FileContent["content"] | null,
  headers: Record<string, string>,
): Response {
  headers["X-Request-Id"] = requestContext.requestId;
  headers["X-Runtime"] = runtimeOf(requestContext);
  if (requestContext.sandboxClock !== undefined) addSandboxHeaders(requestContext.sandboxClock, headers);
  if (closesConnection(requestContext.request)) headers.Connection = "close";
  addUsualHeaders(requestContext, headers);
  requestContext.responseBytes = bytesOf(body);
  return new Response(body, { status, headers });
}

/** Adds the headers that are the same in every answer. */
export function addUsualHeaders(requestContext: RequestContext, headers: Record<string, string>): void {
  headers["X-Content-Type-Options"] = "nosniff";
  headers["X-Frame-Options"] = "SAMEORIGIN";
  headers.Vary ??= "Origin";
  headers["Cache-Control"] ??= "no-cache";
  Object.assign(headers, requestContext.errorFormat?.headers);
  addCorsHeaders(requestContext, headers);
}

/** Returns the size of a body; undefined for a stream. */
function bytesOf(body: FileContent["content"] | null): number | undefined {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body instanceof Blob ? body.size : undefined;
}

/** Adds the headers of a sandbox, with the times of its clock (sandbox, sandbox 2). */
function addSandboxHeaders(clock: SandboxClock, headers: Record<string, string>): void {
  Object.assign(headers, sandboxMark);
  headers.Date = new Date(clock.now()).toUTCString();
}

/** True when the client announces its last request. The runtime then closes the connection, but does not announce it. */
export function closesConnection({ headers }: Request): boolean {
  const connection = headers.get("connection");
  return connection !== null && connection !== "keep-alive" && /(^|,)\s*close\s*(,|$)/i.test(connection);
}

/** Returns the seconds since the request arrived, for `X-Runtime`, by the clock of a sandbox if there is one. */
export function runtimeOf({ sandboxClock, startedAt }: RequestContext): string {
  const ms = performance.now() - startedAt;
  if (sandboxClock === undefined) return secondsOf(ms);
  const { is_frozen, rate } = sandboxClock.state;
  return secondsOf(is_frozen ? 0 : ms * rate);
}

/** Formats seconds as `0.012345`, in a quarter of the time of `toFixed`. */
function secondsOf(ms: number): string {
  const microseconds = Math.round(ms * 1000);
  return `${Math.floor(microseconds / 1e6)}.${String(1e6 + (microseconds % 1e6)).slice(1)}`;
}

/** Returns a JSON answer that is not cached. */
export function respondJson(
  requestContext: RequestContext,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Response {
  headers["Content-Type"] = jsonType;
  return respond(requestContext, status, sentJson(requestContext, valueJson(value), headers), headers);
}

/** Returns the success status of a kind of answer. */
export function successStatus(kind: Exclude<Answer["kind"], "outcomes">): number {
  return successStatuses[kind];
}

const successStatuses: Readonly<Record<Exclude<Answer["kind"], "outcomes">, number>> = {
  ok: 200,
  page: 200,
  file: 200,
  created: 201,
  accepted: 202,
  nothing: 204,
  redirect: 302,
};

/** Returns the content and headers of a page. */
export function pageOf(requestContext: RequestContext, page: Page<unknown>, paging: Paging): AnsweredPage {
  const url = `${requestContext.baseUrl}${requestContext.path}`;
  return { body: listJson(page.items), headers: pagingHeaders(url, requestContext.search, paging, page) };
}

/** Adds the headers of this answer to those of the page. */
export function answerPage(requestContext: RequestContext, { body, headers }: AnsweredPage): Response {
  return cacheable(requestContext, jsonType, body, { ...headers, "Cache-Control": revalidated });
}

/** Returns the answer for the result of an operation (rest-conventions 4 and 7). */
export function answerWith(
  requestContext: RequestContext,
  answer: Answer,
  result: unknown,
  paging: Paging | undefined,
): Response {
  switch (answer.kind) {
    case "ok":
      return answer.isHeadEmpty === true && requestContext.request.method === "HEAD"
        ? answerPlainly(requestContext, "nothing", undefined, {})
        : answerValue(requestContext, result);
    case "page": {
      if (answer.isOutsideStore && isFileContent(result)) return answerFile(requestContext, uncachedFile, result);
      if (paging === undefined) throw new Error("a page without paging");
      return answerPage(requestContext, pageOf(requestContext, result as Page<unknown>, paging));
    }
    case "file":
      return answerFile(requestContext, answer, result as FileContent);
    case "redirect":
      return respond(requestContext, successStatuses.redirect, null, { Location: result as string });
    case "outcomes": {
      const { kind, body, headers } = result as ResponseVariant;
      if (kind === "ok") return answerValue(requestContext, body, { ...headers });
      return answerPlainly(requestContext, kind, body, { ...headers });
    }
    default:
      return answerPlainly(requestContext, answer.kind, result, {});
  }
}

const uncachedFile: FileAnswer = { kind: "file", maxAgeS: 0 };

function isFileContent(result: unknown): result is FileContent {
  return typeof result === "object" && result !== null && "contentType" in result;
}

function answerFile(
  requestContext: RequestContext,
  { maxAgeS, hasRanges }: FileAnswer,
  { contentType, content, headers }: FileContent,
): Response {
  const own = { "Content-Security-Policy": inertPolicy, ...headers };
  if (requestContext.request.method === "POST")
    return respond(requestContext, 200, counted(requestContext, content), {
      ...own,
      "Content-Type": contentType,
    });
  const caching = maxAgeS === 0 ? revalidated : `public, max-age=${maxAgeS}`;
  const all = { ...own, "Cache-Control": caching };
  if (hasRanges !== true || !(content instanceof Blob)) return cacheable(requestContext, contentType, content, all);
  return answerPart(requestContext, contentType, content, { ...all, "Accept-Ranges": "bytes" });
}

function answerPart(
  requestContext: RequestContext,
  contentType: string,
  content: Blob,
  headers: Record<string, string>,
): Response {
  const { size } = content;
  const range = isKnown(requestContext, headers.ETag) ? undefined : rangeOf(requestContext.request, size, headers.ETag);
  if (range === undefined) return cacheable(requestContext, contentType, content, headers);
  if (range === "beyond") {
    const failure = new Failure("range", { message: "416 Range Not Satisfiable" });
    const body = requestContext.errorFormat?.failureBody(failure) ?? failure.body;
    return respondJson(requestContext, 416, body, { "Content-Range": `bytes */${size}`, "Accept-Ranges": "bytes" });
  }
  const { first, last } = range;
  const part = { ...headers, "Content-Type": contentType, "Content-Range": `bytes ${first}-${last}/${size}` };
  return respond(requestContext, 206, content.slice(first, last + 1), part);
}

function answerPlainly(
  requestContext: RequestContext,
  kind: PlainAnswer["kind"],
  value: unknown,
  headers: Record<string, string>,
): Response {
  if (kind === "nothing") return respond(requestContext, successStatuses.nothing, null, headers);
  const body = kind === "accepted" ? (value ?? { message: "202 Accepted" }) : value;
  return respondJson(requestContext, successStatuses[kind], body, headers);
}

/** Keeps browsers from running a file of any type, unless the operation says otherwise. */
const inertPolicy = "default-src 'none'; sandbox";

export const revalidated = "max-age=0, private, must-revalidate";

function answerValue(requestContext: RequestContext, value: unknown, headers: Record<string, string> = {}): Response {
  const { method } = requestContext.request;
  if (method !== "GET" && method !== "HEAD") return respondJson(requestContext, successStatuses.ok, value, headers);
  const json = value instanceof ReadableStream ? value : valueJson(value);
  return cacheable(requestContext, jsonType, json, { ...headers, "Cache-Control": revalidated });
}

/**
 * Adds an `ETag` to a read, or answers 304 to a client that has the content (rest-conventions 4.1). Streams have only their
 * own tag.
 */
function cacheable(
  requestContext: RequestContext,
  contentType: string,
  body: FileContent["content"] | JsonText | LargeJson,
  headers: Record<string, string>,
): Response {
  const held = body instanceof JsonText ? body.bytes : body;
  if (body instanceof JsonText) headers.ETag = tagOf(body);
  else if (typeof held === "string" || held instanceof Uint8Array)
    headers.ETag ??= `W/"${Bun.hash(held).toString(16)}"`;
  if (isKnown(requestContext, headers.ETag)) {
    if (held instanceof ReadableStream) void held.cancel();
    return respond(requestContext, 304, null, headers);
  }
  headers["Content-Type"] = contentType;
  const sent =
    contentType === jsonType && isInMemory(held)
      ? sentJson(requestContext, held, headers)
      : counted(requestContext, held);
  return respond(requestContext, 200, sent, headers);
}

export function tagOf(text: JsonText): string {
  return `W/"${text.hash}"`;
}

/** Returns JSON as it is sent: a small body compressed if the client accepts that, a large one in pieces. */
function sentJson(
  requestContext: RequestContext,
  body: BodyInMemory,
  headers: Record<string, string>,
): FileContent["content"] {
  const content = sendable(requestContext, body);
  return content instanceof ReadableStream ? content : compressed(requestContext.request, content, headers);
}

/** Counts a body while it is sent, except for a file, which the runtime sends. */
function counted(requestContext: RequestContext, body: FileContent["content"] | LargeJson): FileContent["content"] {
  if (isInMemory(body)) return sendable(requestContext, body);
  if (!(body instanceof ReadableStream)) return body;
  if (requestContext.request.method !== "HEAD") return countedStream(requestContext, body);
  // Nothing else would close the unread stream.
  void body.cancel();
  return "";
}

function isInMemory(body: FileContent["content"] | LargeJson): body is BodyInMemory {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof LargeJson;
}

function isKnown({ request }: RequestContext, tag: string | undefined): boolean {
  const known = request.headers.get("if-none-match");
  return tag !== undefined && known !== null && matchesTag(known, tag);
}

/** True when a list of tags, or `*`, matches a tag, by weak comparison. */
function matchesTag(list: string, tag: string): boolean {
  const bare = tag.replace(/^W\//, "");
  return list.split(",").some((each) => {
    const given = each.trim();
    return given === "*" || given.replace(/^W\//, "") === bare;
  });
}
