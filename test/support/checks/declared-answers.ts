import { FormatRegistry, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { errorBodyOf } from "../../../src/http/openapi/errors.ts";
import { parseCalendarDate, parseDateTime } from "../../../src/lib/datetime.ts";
import type { Answer, Operation } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../../src/modules/operations.ts";

const wireTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
FormatRegistry.Set("date-time", (text) => wireTime.test(text) && parseDateTime(text) !== undefined);
FormatRegistry.Set("date", (text) => parseCalendarDate(text) !== undefined);

const matchers = operations
  .filter(({ root }) => root !== true)
  .map((operation) => ({ operation, fixed: fixedLength(operation.path), pattern: patternOf(operation.path) }))
  .sort((a, b) => b.fixed - a.fixed);

/** The operation that serves this; fixed segments win over parameters. `path` is below `/api/v4`. */
export function operationFor(method: string, path: string): Operation | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return matchers.find(({ operation, pattern }) => operation.method === wanted && pattern.test(path))?.operation;
}

/** Throws when a successful answer is not what the operation declares: a wrong status, type, format, or a field too many. */
export function checkDeclaredAnswer(operation: Operation, status: number, body: unknown): void {
  const { answer } = operation;
  const expected = answer.kind === "outcomes" ? answer.outcomes.map((outcome) => outcome.answer) : [answer];
  const name = `${operation.method} ${operation.path}`;
  if (status === 206 && answer.kind === "file" && answer.hasRanges) return;
  const declared = expected.find((each) => statusOf(each) === status);
  if (declared === undefined) {
    throw new Error(`${name} answered ${status}, declared is ${expected.map(statusOf).join(", ")}`);
  }
  const schema = schemaOf(declared);
  if (schema === undefined) return;
  const [error] = Value.Errors(schema, body);
  if (error !== undefined)
    throw new Error(`${name}: ${error.message} at ${error.path}: ${JSON.stringify(error.value)}`);
  const declaredOnly = Value.Clean(schema, structuredClone(body));
  if (!Bun.deepEquals(declaredOnly, body)) {
    throw new Error(
      `${name} answered undeclared fields: ${JSON.stringify(body)} against ${JSON.stringify(declaredOnly)}`,
    );
  }
}

/** Throws when the body of an error is not what the reference says of its status. */
export function checkDeclaredError(operation: Operation, status: number, body: unknown): void {
  // Faults of a sandbox answer any status; other protocols have errors of their own, and some limits answer a text.
  if (operation.errorFormat !== undefined || typeof body !== "object" || body === null) return;
  const [error] = Value.Errors(errorBodyOf(status), body);
  if (error === undefined) return;
  const name = `${operation.method} ${operation.path}`;
  throw new Error(`${name} answered ${status}, and ${error.message} at ${error.path}: ${JSON.stringify(body)}`);
}

function statusOf(answer: Answer): number {
  switch (answer.kind) {
    case "created":
      return 201;
    case "accepted":
      return 202;
    case "nothing":
      return 204;
    case "redirect":
      return 302;
    default:
      return 200;
  }
}

function schemaOf(answer: Answer): TSchema | undefined {
  if (answer.kind === "page") return Type.Array(answer.item);
  return "body" in answer ? answer.body : undefined;
}

/** A fixed end may be followed by `.json` (rest-conventions 2.1). */
function patternOf(path: string): RegExp {
  const end = /:[a-z_]+$/.test(path) ? "" : "(\\.json)?";
  return new RegExp(`^${path.replaceAll(/\*[a-z_]+/g, ".+").replaceAll(/:[a-z_]+/g, "[^/]+")}${end}$`);
}

function fixedLength(path: string): number {
  return path.replaceAll(/[:*][a-z_]+/g, "").length;
}
