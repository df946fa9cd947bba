import { FormatRegistry, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { successStatus } from "../../http/responses/responses.ts";
import { parseCalendarDate } from "../../lib/datetime.ts";
import type { Answer, Operation, PlainAnswer } from "../../modules/kernel/operation.ts";
import {
  type Expected,
  ListWith,
  Matcher,
  Reference,
  type RunFacts,
  type StepAnswer,
  type StepOptions,
} from "./scenario.ts";

/** A difference between an answer and the expected one. */
export interface Difference {
  readonly expected: string;
  readonly received: string;
}

type Single = Exclude<Answer, { readonly kind: "outcomes" }>;

/** Declares the text formats. They apply to the whole process, so only the selftest does it. */
export function declareFormats(): void {
  FormatRegistry.Set(
    "date-time",
    (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
  );
  FormatRegistry.Set("date", (value) => parseCalendarDate(value) !== undefined);
}

/**
 * Returns the first difference of an answer from the declaration of its operation and the expectation of its step; undefined
 * when there is none.
 */
export function findDifference(
  operation: Operation,
  options: StepOptions,
  answer: StepAnswer,
  facts: RunFacts,
): Difference | undefined {
  const { status = undefined } = options;
  const declared = declaredAnswers(operation);
  const expected = status === undefined ? declared.map((each) => each.status) : [status];
  if (!expected.includes(answer.status)) return differ(`status ${expected.join(" or ")}`, answerLine(answer));
  const met = answer.status < 300 ? declared.find((each) => each.status === answer.status) : undefined;
  return (
    (met === undefined ? refusalDifference(answer) : declaredDifference(met, answer)) ??
    headerDifference(options.expectHeaders ?? {}, answer, facts) ??
    (options.expect === undefined ? undefined : valueDifference("the body", options.expect, answer.body, facts))
  );
}

/** Returns a difference when a refusal has a body without a reason in `message`, `error` or `errors`, or in plain text. */
export function refusalDifference(answer: StepAnswer): Difference | undefined {
  const { body, status } = answer;
  const isExplained =
    typeof body === "object" && body !== null && ["message", "error", "errors"].some((name) => name in body);
  const isText = typeof body === "string" && answer.header("content-type")?.startsWith("text/plain") === true;
  if (isExplained || isText || body === undefined || status < 400) return undefined;
  return differ("a body with message or error", answerLine(answer));
}

interface Declared {
  readonly status: number;
  readonly answer: Single;
  readonly headers: readonly string[];
}

function declaredAnswers({ answer }: Operation): Declared[] {
  const all: { answer: Single; headers?: object }[] = answer.kind === "outcomes" ? [...answer.outcomes] : [{ answer }];
  return all.map(({ answer: each, headers = {} }) => ({
    status: successStatus(each.kind),
    answer: each,
    headers: Object.keys(headers).filter((name) => !rareHeaders.includes(name)),
  }));
}

/** Declared headers that an answer may lack. */
const rareHeaders = ["OCI-Subject", "X-GitLab-Last-Update", "X-GitLab-Trace-Update-Interval"];

function declaredDifference(declared: Declared, answer: StepAnswer): Difference | undefined {
  const lacking = [...headersOf(declared.answer), ...declared.headers].find(
    (name) => answer.header(name) === undefined,
  );
  if (lacking !== undefined) return differ(`the header ${lacking}`, "none");
  if (declared.answer.kind === "page" && declared.answer.keyset?.isAlways !== true) {
    const link = answer.header("link") ?? "none";
    if (!link.includes('rel="first"')) return differ('the header Link with rel="first"', link);
  }
  const schema = schemaOf(declared.answer);
  if (schema === undefined) return undefined;
  const type = answer.header("content-type") ?? "none";
  if (!type.startsWith("application/json")) return differ("Content-Type application/json", type);
  const [error] = Value.Errors(schema, answer.body);
  if (error === undefined) return undefined;
  return differ(
    `${error.message} at ${error.path === "" ? "/" : error.path}`,
    JSON.stringify(error.value) ?? "nothing",
  );
}

const pageHeaders = ["X-Page", "X-Per-Page", "X-Next-Page", "X-Prev-Page"];

function headersOf(answer: Single): readonly string[] {
  return answer.kind === "page" && answer.keyset?.isAlways !== true
    ? ["X-Request-Id", ...pageHeaders]
    : ["X-Request-Id"];
}

function schemaOf(answer: Single): TSchema | undefined {
  if (answer.kind === "page") return Type.Array(answer.item);
  return isPlain(answer) && "body" in answer ? answer.body : undefined;
}

function isPlain(answer: Single): answer is PlainAnswer {
  return answer.kind !== "file" && answer.kind !== "page" && answer.kind !== "redirect";
}

function headerDifference(
  expected: Readonly<Record<string, Expected>>,
  answer: StepAnswer,
  facts: RunFacts,
): Difference | undefined {
  for (const [name, value] of Object.entries(expected)) {
    const found = valueDifference(`the header ${name}`, value, answer.header(name), facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueDifference(place: string, expected: Expected, value: unknown, facts: RunFacts): Difference | undefined {
  if (expected instanceof Matcher) return expected.matches(value) ? undefined : unlike(place, expected.text, value);
  if (expected instanceof ListWith) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    if (items.some((item) => valueDifference("", expected.item, item, facts) === undefined)) return undefined;
    return unlike(place, `a list with ${expectationText(expected.item, facts)}`, value);
  }
  if (expected instanceof Reference) {
    const wanted = expected.read(facts);
    return Bun.deepEquals(wanted, value) ? undefined : unlike(place, JSON.stringify(wanted), value);
  }
  if (typeof expected !== "object" || expected === null)
    return expected === value ? undefined : unlike(place, JSON.stringify(expected), value);
  if (Array.isArray(expected) && (!Array.isArray(value) || value.length !== expected.length))
    return unlike(place, `a list of ${expected.length}`, value);
  for (const [name, each] of Object.entries(expected)) {
    const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    const found = valueDifference(`${name} in ${place}`, each, member, facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns an expectation as JSON with values instead of references. */
function expectationText(expected: Expected, facts: RunFacts): string {
  return JSON.stringify(expected, (_, each: unknown) => {
    if (each instanceof Reference) return each.read(facts);
    return each instanceof Matcher ? each.text : each;
  });
}

function unlike(place: string, wanted: string, value: unknown): Difference {
  return differ(`${place}: ${wanted}`, JSON.stringify(value) ?? "nothing");
}

const shownMax = 400;

export function differ(expected: string, received: string): Difference {
  return { expected, received: received.length > shownMax ? `${received.slice(0, shownMax)}…` : received };
}

/** Returns an answer as one line. */
export function answerLine({ status, body }: StepAnswer): string {
  return body === undefined ? `status ${status}` : `status ${status}: ${JSON.stringify(body)}`;
}
