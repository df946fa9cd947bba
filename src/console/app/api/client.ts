import createClient from "openapi-fetch";
import { basePath } from "../state/base.ts";
import { noteConnectionLost } from "../state/connection.ts";
import { noteSandbox } from "../state/sandbox.ts";
import { csrfToken, noteSessionEnded } from "../state/session-signal.ts";
import type { ShownCall } from "./curl.ts";
import type { paths } from "./generated.d.ts";

/** An answer that is no success. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined;

  constructor(status: number, message: string, requestId: string | undefined) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

const reading = ["GET", "HEAD"];

/** Calls of the API and of `/-/…`, with their types. Each throws `ApiError`, or `TypeError` without a connection. */
export const client = createClient<paths>({ baseUrl: basePath === "" ? location.origin : basePath, fetch: send });

/** One request with the session of the browser. Throws as `client` does. */
export async function send(input: Request | string): Promise<Response> {
  const request = new Request(input);
  request.headers.set("X-Outpost-Console", "true");
  if (!reading.includes(request.method)) request.headers.set("X-CSRF-Token", csrfToken());
  const response = await fetch(request).catch((error: unknown) => {
    noteConnectionLost();
    throw error;
  });
  noteSandbox(response.headers);
  if (response.ok) return response;
  const isAboutSession = new URL(request.url).pathname.endsWith("/-/session");
  if (!isAboutSession && (response.status === 401 || (await isSignedOut(response.status)))) noteSessionEnded();
  throw new ApiError(response.status, await messageOf(response), response.headers.get("x-request-id") ?? undefined);
}

/** Sends a call as it is shown. Returns the answer; undefined for one without a body. */
export async function sendCall({ method, address, body }: ShownCall): Promise<unknown> {
  const response = await send(
    new Request(new URL(address, location.origin), {
      method,
      headers: { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

/** Whether a 403 or 404 means that the session ended: public operations answer anonymous callers so, in place of 401. */
async function isSignedOut(status: number): Promise<boolean> {
  if (status !== 403 && status !== 404) return false;
  return (await fetch(`${basePath}/-/session`)).status === 401;
}

/** The answer to a call of `client`. */
export async function answerOf<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call;
  if (data === undefined || data === null) throw new Error("the answer has no body");
  return data;
}

/** The sentence of an error body, or its attributes with what is wrong with each. */
async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { message, error, error_description } = JSON.parse(text);
    return describe(message ?? error_description ?? error) || text;
  } catch {
    return text || response.statusText;
  }
}

function describe(message: unknown): string {
  if (typeof message === "string") return message;
  if (Array.isArray(message)) return message.map(describe).join(", ");
  if (typeof message !== "object" || message === null) return "";
  return Object.entries(message)
    .map(([attribute, texts]) => `${attribute} ${describe(texts)}`)
    .join("; ");
}
