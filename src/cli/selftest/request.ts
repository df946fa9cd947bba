import { StartError } from "../../domain/start-error.ts";
import { type Operation, replacePathParameters } from "../../modules/kernel/operation.ts";
import { type ReceivedAnswer, type SentRequest, send } from "../commands/client/api-client.ts";
import type { ServerEndpoint } from "../endpoint.ts";
import { type Content, Reference, type RunFacts, type Step, type StepAnswer } from "./scenario.ts";
import { resolve } from "./values.ts";

/** A request that any caller can send. */
export interface PreparedCall {
  readonly method: string;
  /** The path from the root of the server, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
}

/** The longest time for an answer. A runner's long poll may take 50 seconds. */
const answerMsMax = 60_000;

/** Builds the request of a step. Throws `MissingValue` when an earlier answer lacks a value. */
export async function prepareCall(operation: Operation, step: Step, facts: RunFacts): Promise<PreparedCall> {
  const { query = {}, headers = {}, json, content = json === undefined ? undefined : { json } } = step.options;
  const own = Object.entries(headers).map(([name, value]) => [name, String(resolve(value, facts))]);
  const body = content === undefined ? undefined : await bodyOf(content, facts);
  return {
    method: operation.method,
    path: `${addressOf(operation, step, facts)}${queryOf(query, facts)}`,
    headers: { ...(body === undefined ? {} : { "content-type": body.type }), ...Object.fromEntries(own) },
    ...(body === undefined ? {} : { body: body.bytes }),
  };
}

function addressOf({ path, root }: Operation, step: Step, facts: RunFacts): string {
  if (step.path instanceof Reference) return String(resolve(step.path, facts));
  const values = step.path;
  const encoded = replacePathParameters(path, (name) => {
    const value = String(resolve(values[name], facts));
    return path.includes(`*${name}`) ? encodeURI(value) : encodeURIComponent(value);
  });
  return root === true ? encoded : `/api/v4${encoded}`;
}

function queryOf(query: NonNullable<Step["options"]["query"]>, facts: RunFacts): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(resolve(value, facts))]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

async function bodyOf(content: Content, facts: RunFacts) {
  if ("json" in content) return { type: "application/json", bytes: JSON.stringify(resolve(content.json, facts)) };
  if ("raw" in content) return { type: content.type, bytes: String(resolve(content.raw, facts)) };
  const form = new FormData();
  const { field, name, bytes } = content.file;
  form.append(field, new File([bytes], name));
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? "multipart/form-data",
    bytes: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** Sends a call. Throws `NoAnswer`. */
export async function sendCall(
  { base, ...way }: ServerEndpoint,
  { path, headers, ...call }: PreparedCall,
  token: string | undefined,
): Promise<StepAnswer> {
  const request: SentRequest = {
    ...call,
    ...way,
    url: `${base}${path}`,
    headers: { accept: "application/json", ...(token === undefined ? {} : { "private-token": token }), ...headers },
    signal: AbortSignal.timeout(answerMsMax),
  };
  const answer = await send(request).catch((error: unknown) => {
    throw new NoAnswer(base, error);
  });
  return readAnswer(answer);
}

/** Thrown when the server sent no complete answer. */
export class NoAnswer extends StartError {
  constructor(origin: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`no answer from ${origin}: ${reason}`, "outpost selftest --url URL", { cause });
  }
}

function readAnswer({ status, headers, body }: ReceivedAnswer): StepAnswer {
  const header = (name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? undefined : [value].flat().join(", ");
  };
  const text = body.toString();
  return {
    status,
    header,
    body: text === "" ? undefined : /\bjson\b/.test(header("content-type") ?? "") ? parsed(text) : text,
  };
}

/** Returns the parsed JSON, or the text itself if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}
