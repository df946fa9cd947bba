import { operator, type SignedInCaller } from "../../domain/caller.ts";
import { unknownRoute } from "../../domain/failure.ts";
import type { PageRequest } from "../../domain/page.ts";
import { authorizeSource } from "../../modules/core/access/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import type { RawRequest } from "../../modules/kernel/raw-request.ts";
import { refusalAfter, refusalBefore, refuse } from "../auth/admission.ts";
import { RequestBody } from "../body/raw-body.ts";
import type { ReadParameters } from "../params/params.ts";
import type { PathValues } from "../params/values.ts";
import { emptyValues, type RawValues } from "../params/values.ts";
import { compileRoute } from "./routes.ts";

/** A call of the API without an HTTP request. */
export interface InProcessCall {
  readonly method: string;
  /** The path below `/api/v4`, percent-encoded. */
  readonly path: string;
  readonly values: RawValues;
  readonly page?: PageRequest;
}

/** An operation, and the decoded parameters of its path. */
export interface FoundOperation {
  readonly operation: Operation;
  readonly path: PathValues;
}

const firstPage: PageRequest = { kind: "offset", page: 1, perPage: 20 };

/**
 * Performs an operation on an opened store as the operator, with the checks of a request. Returns the result of the handler,
 * or throws the `Failure` that a request would get.
 */
export function callInProcess(
  context: Context,
  operations: readonly Operation[],
  { method, path, values, page = firstPage }: InProcessCall,
): unknown {
  const found = findOperation(operations, method, path);
  if (found === undefined) throw unknownRoute();
  return performInProcess(context, found, { values, page, caller: operator });
}

/** The parts of an in-process call besides its path and caller. */
export interface PerformedCall {
  readonly values: RawValues;
  readonly page?: PageRequest;
  readonly caller: SignedInCaller;
  /** The body, for an operation that reads it itself. */
  readonly body?: Uint8Array;
  /** The compiled reader of the operation, for callers who make many such calls. */
  readonly read?: ReadParameters;
}

/** Performs an operation that is found already, as any caller. */
export function performInProcess(
  context: Context,
  { operation, path }: FoundOperation,
  { values, page = firstPage, caller, body, read = compileRoute(operation, context.edition) }: PerformedCall,
): unknown {
  const { who } = operation;
  refuse(refusalBefore(operation, caller), operation);
  const params = read(Object.assign(emptyValues(), values), path);
  refuse(refusalAfter(operation, caller, context.edition), operation);
  const source =
    typeof who === "string" ? undefined : authorizeSource(context, caller, who, params.id as string | number);
  const baseUrl = context.externalUrl ?? "http://localhost";
  const raw = rawRequest(operation, baseUrl, body);
  const call = { context, caller, params, rawParams: values, page, baseUrl, unmodifiedSince: undefined, raw };
  return operation.handle({ ...call, ...source });
}

function rawRequest({ body: declared }: Operation, baseUrl: string, body: Uint8Array | undefined): RawRequest {
  const gone = () => new AbortController().signal;
  const raw = new RequestBody({ request: new Request(baseUrl), gone, sender: undefined, search: "" }, declared);
  if (body === undefined) return raw;
  async function* stream() {
    yield body as Uint8Array;
  }
  return {
    search: raw.search,
    header: (name) => raw.header(name),
    gone: gone(),
    mediaType: "",
    bytes: async () => body,
    stream,
    form: () => raw.form(),
  };
}

/** Returns the matching operation with the most fixed segments. Throws the errors of `decode`. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
  decode: (text: string) => string = decodeURIComponent,
): FoundOperation | undefined {
  const wanted = operations.filter((operation) => operation.method === (method === "HEAD" ? "GET" : method));
  const fitting = wanted.flatMap((operation) => {
    const pattern = operation.path.replace(/\*([a-z_]+)/g, "(?<$1>.+)").replace(/:([a-z_]+)/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}(?:\\.json)?$`).exec(path);
    return match === null ? [] : [{ operation, groups: match.groups ?? {} }];
  });
  const fixedWords = ({ path: declared }: Operation) => declared.split("/").filter((word) => /^\w/.test(word)).length;
  const [best] = fitting.toSorted((one, other) => fixedWords(other.operation) - fixedWords(one.operation));
  if (best === undefined) return undefined;
  const values = Object.entries(best.groups).map(([name, text]) => [name, decode(text)] as const);
  return { operation: best.operation, path: Object.fromEntries(values) };
}
