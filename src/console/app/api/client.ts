import createClient from "openapi-fetch";
import { basePath } from "../state/base.ts";
import { noteConnectionLost } from "../state/connection.ts";
import { noteSandbox } from "../state/sandbox.ts";
import { csrfToken, noteSessionEnded } from "../state/session-signal.ts";
import type { ShownCall } from "./curl.ts";
import type { paths } from "./generated.d.ts";

/** Thrown for an answer that is no success. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, message: string, requestId: string | undefined) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

const reading = ["GET", "HEAD"];

/** The typed client of the API and of `/-/…`. Each call throws `ApiError`, or `TypeError` without a connection. */
export const client = createClient<paths>({ baseUrl: basePath === "" ? location.origin : basePath, fetch: send });

/** Sends a request with the session of the browser. Throws the errors of `client`. */
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

/** Sends a displayed call. Returns the answer; undefined for one without a body. */
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

/**
 * True when a 403 or 404 means that the session has ended: public operations answer anonymous callers so, instead of with
 * 401.
 */
async function isSignedOut(status: number): Promise<boolean> {
  if (status !== 403 && status !== 404) return false;
  return (await fetch(`${basePath}/-/session`)).status === 401;
}

/** Returns the answer of a `client` call. */
export async function answerOf<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call;
  if (data === undefined || data === null) throw new Error("the answer has no body");
  return data;
}

/** Returns the message of an error body, or its attributes with their errors. */
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
