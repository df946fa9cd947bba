import { readFileSync } from "node:fs";
import type { Way } from "./reach.ts";

/** The little of a client that verbs need to talk to a running server. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
}

/**
 * Calls below `/api/v4` with one token. An answer that is not a success rejects with an `Error` that holds its body.
 * NOTE: not `fetch`, which follows HTTP_PROXY even to 127.0.0.1 and would hand the token to the proxy.
 */
export function apiClient({ base, socket, authority }: Way, token: string): ApiClient {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await send({
      method,
      url: `${base}/api/v4${path}`,
      ...{ socket, authority },
      headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body.toString()) as T;
  }
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
  };
}

/** One request as it goes out. */
export interface SentRequest {
  readonly method: string;
  /** http or https. */
  readonly url: string;
  /** As `Way`. */
  readonly socket?: string | undefined;
  readonly authority?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ReceivedAnswer {
  readonly status: number;
  /** The words after the status. */
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Sends one request and reads the whole answer; redirections are not followed. Rejects when there is no answer. */
export async function send(sent: SentRequest): Promise<ReceivedAnswer> {
  const { body, ...head } = await sendForStream(sent);
  const received: Uint8Array[] = [];
  for await (const piece of body) received.push(piece);
  return { ...head, body: Buffer.concat(received) };
}

/** As `send`; the body comes as it is read, and throws when it is cut off. */
export type StreamedAnswer = Omit<ReceivedAnswer, "body"> & { readonly body: AsyncIterable<Uint8Array> };

/** Loads `node:http` here, since an import at the top would cost every start of the executable 4 ms. */
export async function sendForStream({
  method,
  url,
  socket,
  authority,
  headers,
  body,
}: SentRequest): Promise<StreamedAnswer> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      ...{ method, headers },
      ...(socket === undefined ? {} : { socketPath: socket }),
      ...(authority === undefined ? {} : { ca: readFileSync(authority, "utf8") }),
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const { statusCode: status = 0, statusMessage: reason = "", headers: received } = answer;
      resolve({ status, reason, headers: received, body: answer });
    });
    sent.end(body);
  });
}
