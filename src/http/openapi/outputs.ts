import type { FailureKind } from "../../domain/failure.ts";
import { type Answer, type Operation, type PossibleResponse, pathParameters } from "../../modules/kernel/operation.ts";
import { statusOf } from "../responses/failures.ts";
import { successStatus } from "../responses/responses.ts";
import { errorBodyOf, Message } from "./errors.ts";
import { takesBody } from "./inputs.ts";
import { describeSchema, type Json, type NamedSchemas } from "./schemas.ts";

/** Returns the answers of an operation by status: success, and the errors that follow from its declaration. */
export function describeOutputs(operation: Operation, named: NamedSchemas): Json {
  const successes = describeSuccesses(operation.answer, named);
  const responses = operation.method === "GET" && operation.answer.kind !== "redirect" ? ofRead(successes) : successes;
  for (const status of errorStatuses(operation)) {
    if (status === statusOf("unchanged")) {
      responses[status] = { description: "Not modified: the requested state already holds" };
      continue;
    }
    const name = errorNameOf(status);
    if (name === undefined) throw new Error(`status ${status} of ${operation.path} has no description`);
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** Adds `ETag` to the answers of a read. */
function ofRead(successes: Record<string, Json>): Record<string, Json> {
  const tagged = Object.entries(successes).map(([status, success]): [string, Json] => [
    status,
    success.content === undefined
      ? success
      : { ...success, headers: { ...(success.headers as Json | undefined), ...refer("ETag") } },
  ]);
  return { ...Object.fromEntries(tagged), 304: { $ref: "#/components/responses/NotModified" } };
}

/** `not_found` is here because of the user in `sudo`. */
const everywhere = ["parameters", "unauthenticated", "forbidden", "not_found", "too_many", "unavailable"] as const;

/** Returns the error statuses of an operation, ascending. Its `failures` has those that do not follow from the rest. */
function errorStatuses(operation: Operation): number[] {
  const { answer, path, method, failures = [] } = operation;
  const kinds: FailureKind[] = [...everywhere, ...failures];
  if (method === "DELETE" && pathParameters(path).length > 0) kinds.push("precondition");
  if (takesBody(operation)) kinds.push("too_slow", "too_large", "unsupported_type");
  if (answer.kind === "file" && answer.hasRanges) kinds.push("range");
  if (answer.kind === "page" && (answer.keyset ?? answer.deepestOffsetOf) !== undefined) kinds.push("not_allowed");
  return [...new Set(kinds.map(statusOf))].sort((a, b) => a - b);
}

function describeSuccesses(answer: Answer, named: NamedSchemas): Record<string, Json> {
  if (answer.kind === "file" && answer.hasRanges) {
    return {
      200: describeSuccess(answer, named),
      206: { ...describeSuccess(answer, named), description: "Partial content" },
    };
  }
  if (answer.kind !== "outcomes") return { [successStatus(answer.kind)]: describeSuccess(answer, named) };
  return Object.fromEntries(
    answer.outcomes.map((outcome) => [successStatus(outcome.answer.kind), describeOutcome(outcome, named)]),
  );
}

function describeOutcome({ answer, headers = {} }: PossibleResponse, named: NamedSchemas): Json {
  const own = Object.entries(headers).map(([name, description]): [string, Json] => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return { ...describeSuccess(answer, named), headers: Object.fromEntries(own) };
}

function describeSuccess(answer: Exclude<Answer, { kind: "outcomes" }>, named: NamedSchemas): Json {
  const json = (schema: Json) => ({ "application/json": { schema } });
  switch (answer.kind) {
    case "ok":
      return { description: "OK", content: json(describeSchema(answer.body, named)) };
    case "created":
      return { description: "Created", content: json(describeSchema(answer.body, named)) };
    case "accepted":
      return { description: "Accepted", content: json(describeSchema(answer.body ?? Message, named)) };
    case "nothing":
      return { description: "No content" };
    case "redirect":
      return { description: "Found elsewhere", headers: refer("Location") };
    case "file":
      return {
        description: "The file",
        content: { "*/*": { schema: { type: "string", format: "binary" } } },
      };
    case "page":
      return {
        description: answer.keyset === undefined ? "One page" : "One page; keyset pages have only `Link`",
        headers: refer(...Object.keys(pagingHeaders)),
        content: json({ type: "array", items: describeSchema(answer.item, named) }),
      };
  }
}

function refer(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const integer = { type: "integer" };
const integerOrEmpty = { type: "string", pattern: "^\\d*$" };

const pagingHeaders: Record<string, Json> = {
  Link: { description: "Addresses of the pages around this one, by `rel`", schema: { type: "string" } },
  "X-Page": { description: "Number of this page", schema: integer },
  "X-Per-Page": { description: "Items on a page", schema: integer },
  "X-Next-Page": { description: "Number of the next page, empty on the last one", schema: integerOrEmpty },
  "X-Prev-Page": { description: "Number of the page before, empty on the first one", schema: integerOrEmpty },
  "X-Total": { description: "Items in all; left out above 10,000", schema: integer },
  "X-Total-Pages": { description: "Pages in all; left out above 10,000 items", schema: integer },
};

const headers: Record<string, Json> = {
  ...pagingHeaders,
  ETag: { description: "Tag of this content, for `If-None-Match`", schema: { type: "string" } },
  Location: { description: "Address to go on at", schema: { type: "string" } },
  "Retry-After": { description: "Seconds after which to try again", schema: integer },
  "WWW-Authenticate": { description: "How to authenticate", schema: { type: "string" } },
};

interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly string[];
  /** True when the body may be plain text, as for limits of the whole server. */
  readonly isTextToo?: true;
}

/** The errors of rest-conventions 6. */
const errorAnswers: Readonly<Record<number, ErrorAnswer>> = {
  400: { name: "BadRequest", description: "Invalid parameters, or a broken rule" },
  401: { name: "Unauthorized", description: "Missing or invalid token", headers: ["WWW-Authenticate"] },
  403: { name: "Forbidden", description: "Insufficient scopes, permissions or edition" },
  404: { name: "NotFound", description: "Not found, or not visible to the caller" },
  405: {
    name: "NotAllowed",
    description: "Keyset pagination is not available for this order, or the offset is too deep",
  },
  409: { name: "Conflict", description: "Name taken, changed at the same time, or a CAPTCHA is required" },
  406: { name: "NotAcceptable", description: "The server does not make this format" },
  408: { name: "TooSlow", description: "The body arrives too slowly" },
  412: { name: "PreconditionFailed", description: "Changed after the time in `If-Unmodified-Since`" },
  413: { name: "TooLarge", description: "The body is too large" },
  415: { name: "UnsupportedType", description: "Unsupported content type" },
  416: { name: "RangeNotSatisfiable", description: "Range not satisfiable" },
  422: { name: "Unprocessable", description: "Unprocessable" },
  429: { name: "TooMany", description: "Too many requests", headers: ["Retry-After"], isTextToo: true },
  504: { name: "GatewayTimeout", description: "Work that the answer waits for does not end" },
  507: { name: "InsufficientStorage", description: "Insufficient storage: a quota or the disk is full" },
  503: {
    name: "Unavailable",
    description: "Stopping, no space for writes, or too much work for the size of the store",
    headers: ["Retry-After"],
  },
};

/** Returns the name of the shared response for an error; undefined for an unused status. */
export function errorNameOf(status: number): string | undefined {
  return errorAnswers[status]?.name;
}

/** Returns the `components` that answers refer to. */
export function sharedAnswers(named: NamedSchemas): { headers: Json; responses: Json } {
  const errors = Object.entries(errorAnswers).map(([status, error]): [string, Json] => [
    error.name,
    {
      description: error.description,
      ...(error.headers === undefined ? {} : { headers: refer(...error.headers) }),
      content: {
        "application/json": { schema: describeSchema(errorBodyOf(Number(status)), named) },
        ...(error.isTextToo === true ? { "text/plain": { schema: { type: "string" } } } : {}),
      },
    },
  ]);
  const notModified = { description: "Not modified", headers: refer("ETag") };
  return { headers, responses: { NotModified: notModified, ...Object.fromEntries(errors) } };
}
