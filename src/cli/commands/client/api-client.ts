import { readFileSync } from "node:fs";
import { StartError } from "../../../domain/start-error.ts";
import { ownAuthorityFile } from "../../../server/listeners/local-ca.ts";

/** One request as it goes out. */
export interface SentRequest {
  readonly method: string;
  /** http or https. */
  readonly url: string;
  /** As `ServerEndpoint`. */
  readonly socket?: string | undefined;
  readonly authority?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer> | undefined;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
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
  return withWholeBody(await sendForStream(sent));
}

export async function withWholeBody({ body, ...head }: StreamedAnswer): Promise<ReceivedAnswer> {
  const received: Uint8Array[] = [];
  for await (const piece of body) received.push(piece);
  return { ...head, body: Buffer.concat(received) };
}

/**
 * The query of the next page of a list, with its `?`; undefined after the last page. The address of the header is left out:
 * a client may reach the server by another address than the server knows.
 */
export function nextQuery({ headers: { link } }: Pick<ReceivedAnswer, "headers">): string | undefined {
  const [, address] = /<([^>]+)>\s*;\s*rel="next"/.exec([link ?? []].flat().join(", ")) ?? [];
  return address === undefined ? undefined : new URL(address, "http://localhost").search;
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
  signal,
}: SentRequest): Promise<StreamedAnswer> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    // Without the length, the runtime sends the body of a DELETE as the beginning of the next request.
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

/** Codes of errors that say that a certificate is not trusted. */
const distrust = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|ISSUER_CERT/;

/** The error of a command whose server did not answer. `command` is the call to repeat, `hint` the cure for other reasons. */
export function noAnswerError(
  error: unknown,
  { origin, command, hint }: { readonly origin: string; readonly command: string; readonly hint: string },
): StartError {
  const { message, code = "" } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  const isDistrusted = distrust.test(code) || /self.signed certificate|unable to (?:verify|get)/i.test(message);
  const cure = `${command} --cacert FILE, or OUTPOST_CACERT=FILE; Outpost's own is DATA/${ownAuthorityFile}`;
  return new StartError(`no answer from ${origin}: ${message}`, isDistrusted ? cure : hint, { cause: error });
}
