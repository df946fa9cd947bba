import { readFileSync } from "node:fs";
import { StartError } from "../../../domain/start-error.ts";
import { ownAuthorityFile } from "../../../server/listeners/local-ca.ts";

/** A request to send. */
export interface SentRequest {
  readonly method: string;
  /** An `http` or `https` URL. */
  readonly url: string;
  /** The path of a socket file, as in `ServerEndpoint`. */
  readonly socket?: string | undefined;
  readonly authority?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer> | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export interface ReceivedAnswer {
  readonly status: number;
  /** The reason phrase after the status. */
  readonly reason: string;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Sends a request and reads the whole answer. Does not follow redirects. Rejects when there is no answer. */
export async function send(sent: SentRequest): Promise<ReceivedAnswer> {
  return withWholeBody(await sendForStream(sent));
}

export async function withWholeBody({ body, ...head }: StreamedAnswer): Promise<ReceivedAnswer> {
  const received: Uint8Array[] = [];
  for await (const piece of body) received.push(piece);
  return { ...head, body: Buffer.concat(received) };
}

/**
 * Returns the query of the next page of a list, with its `?`; undefined after the last page. Ignores the address in the
 * header, since the client may use another one.
 */
export function nextQuery({ headers: { link } }: Pick<ReceivedAnswer, "headers">): string | undefined {
  const [, address] = /<([^>]+)>\s*;\s*rel="next"/.exec([link ?? []].flat().join(", ")) ?? [];
  return address === undefined ? undefined : new URL(address, "http://localhost").search;
}

/** An answer whose body arrives while it is read. The body throws when the connection ends early. */
export type StreamedAnswer = Omit<ReceivedAnswer, "body"> & { readonly body: AsyncIterable<Uint8Array> };

/** Sends a request and returns the answer before its body. Loads `node:http` here, since that takes 4 ms of every start. */
export async function sendForStream({
  method,
  url,
  socket,
  authority,
  headers,
  body,
  signal,
}: SentRequest): Promise<StreamedAnswer> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    // Without the length, the runtime sends the body of a DELETE as the start of the next request.
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(url, {
      ...{ method, headers: { ...length, ...headers } },
      ...(socket === undefined ? {} : { socketPath: socket }),
      ...(authority === undefined ? {} : { ca: readFileSync(authority, "utf8") }),
      ...(signal === undefined ? {} : { signal }),
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const { statusCode: status = 0, statusMessage: reason = "", headers: received } = answer;
      resolve({ status, reason, headers: received, body: answer });
    });
    sent.end(body);
  });
}

/** Error codes for an untrusted certificate. */
const distrust = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|ISSUER_CERT/;

/**
 * Returns the error of a command whose server did not answer. `command` is the call to repeat, `hint` the advice for other
 * reasons.
 */
export function noAnswerError(
  error: unknown,
  { origin, command, hint }: { readonly origin: string; readonly command: string; readonly hint: string },
): StartError {
  const { message, code = "" } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  const isDistrusted = distrust.test(code) || /self.signed certificate|unable to (?:verify|get)/i.test(message);
  const cure = `${command} --cacert FILE, or OUTPOST_CACERT=FILE; Outpost's own is DATA/${ownAuthorityFile}`;
  return new StartError(`no answer from ${origin}: ${message}`, isDistrusted ? cure : hint, { cause: error });
}
