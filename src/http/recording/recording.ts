import { users } from "../../modules/core/users/records.ts";
import type { Context, Sandbox } from "../../modules/kernel/context.ts";
import { Exchanges, type Message } from "../../modules/sandbox/requests/index.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { Redaction } from "./redaction.ts";

/** The most recorded bytes of a body. */
const bodyBytesMax = 64 << 10;
/** The header of the console's own calls, which are not recorded. */
const consoleHeader = "x-outpost-console";
/** The milliseconds to wait for the rest of an unread body. */
const unreadBodyMsMax = 1_000;

/** A body that goes to its reader while its first bytes are recorded. */
class RecordedBody {
  readonly #pieces: Uint8Array[] = [];
  #keptBytes = 0;
  size = 0;
  isWhole = false;

  note(piece: Uint8Array): void {
    this.size += piece.length;
    const part = piece.subarray(0, bodyBytesMax - this.#keptBytes);
    if (part.length === 0) return;
    // A piece may be a view of memory that is reused.
    this.#pieces.push(part.slice());
    this.#keptBytes += part.length;
  }

  get isFull(): boolean {
    return this.#keptBytes >= bodyBytesMax;
  }

  get isCut(): boolean {
    return this.size > this.#keptBytes || !this.isWhole;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

/** The body of a request, read on behalf of an operation. */
class RequestBody {
  readonly kept = new RecordedBody();
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #reader;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const reader = body.getReader();
    this.#reader = reader;
    this.stream = new ReadableStream(
      {
        pull: async (controller) => {
          const value = await this.#read();
          if (value === undefined) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** Reads the rest of a body that no operation has read, up to the limit. The client may have disconnected. */
  async readRest({ clock }: Sandbox): Promise<void> {
    const { kept } = this;
    const timeout = Promise.withResolvers<void>();
    const cancel = clock.real.after(unreadBodyMsMax, timeout.resolve);
    const read = async () => {
      while (!kept.isWhole && !kept.isFull) await this.#read();
    };
    await Promise.race([read().catch(() => undefined), timeout.promise]);
    cancel();
  }

  /** Returns undefined at the end of the body. */
  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { value, done } = await this.#reader.read();
    this.kept.isWhole = done;
    if (value !== undefined) this.kept.note(value);
    return value;
  }
}

/** Records a request to a sandbox and its answer (sandbox 5). */
export class Recording {
  /** The request for the operation. Its body is recorded while it is read. */
  readonly request: Request;
  readonly #context: Context;
  readonly #sandbox: Sandbox;
  readonly #startedMs: number;
  readonly #requestBody: RequestBody | undefined;

  constructor(context: Context, sandbox: Sandbox, received: Request) {
    this.#context = context;
    this.#sandbox = sandbox;
    this.#startedMs = context.clock.now();
    this.#requestBody = received.body === null ? undefined : new RequestBody(received.body);
    this.request = this.#requestBody === undefined ? received : withBody(received, this.#requestBody.stream);
  }

  /**
   * Records the exchange once the body of the answer has ended, or its first part. A body in memory is recorded before this
   * resolves, so that the next request sees it; for a stream, this resolves at once.
   */
  async end(requestContext: RequestContext, response: Response): Promise<Response> {
    await this.#requestBody?.readRest(this.#sandbox);
    const durationMs = performance.now() - requestContext.startedAt;
    const isBodySent = requestContext.request.method !== "HEAD";
    const body = isBodySent ? plainBody(response.clone().body, response.headers) : null;
    const noted = this.#readAnswer(body).then((kept) => this.#note(requestContext, response, kept, durationMs));
    noted.catch((error: unknown) => requestContext.log.error({ error: String(error) }, "a request could not be kept"));
    await Promise.race([noted, new Promise((resolve) => setImmediate(resolve))]);
    return response;
  }

  /** Returns undefined when there is no body, or when it ended with an error. */
  async #readAnswer(body: ReadableStream<Uint8Array> | null): Promise<RecordedBody | undefined> {
    if (body === null) return undefined;
    const kept = new RecordedBody();
    const reader = body.getReader();
    try {
      while (!kept.isFull) {
        const { value, done } = await reader.read();
        kept.isWhole = done;
        if (done) return kept;
        kept.note(value);
      }
      // The other reader continues alone.
      await reader.cancel();
      return kept;
    } catch {
      // The client saw its connection closed. That is how the answer ended.
      return kept;
    }
  }

  #note(requestContext: RequestContext, response: Response, body: RecordedBody | undefined, durationMs: number): void {
    const { request, requestId, route = null, userId, baseUrl, path, search } = requestContext;
    const redaction = new Redaction(this.#context, request);
    const user = userId === undefined ? undefined : this.#context.store.of(users).get(userId);
    const kept = this.#requestBody?.kept;
    this.#context.get(Exchanges).add({
      isInternal: path.startsWith("/-/") || request.headers.has(consoleHeader),
      startedMs: this.#startedMs,
      durationMs,
      method: request.method,
      url: redaction.text(`${baseUrl}${path}${search === "" ? "" : `?${search}`}`),
      route,
      status: response.status,
      user: user?.username ?? null,
      requestId,
      request: messageOf(redaction, request.headers, kept, kept?.size ?? 0),
      response: messageOf(redaction, response.headers, body, sizeOf(response, body)),
    });
  }
}

/**
 * Returns the body without its content coding, so that secrets are found in it; null for pages that the build has
 * compressed.
 */
function plainBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  headers: Headers,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const coding = headers.get("content-encoding");
  if (body === null || coding === null) return body;
  if (coding !== "gzip" && coding !== "zstd") return null;
  return body.pipeThrough(new DecompressionStream(coding));
}

/** Returns the size of a body without its content coding; null when it is unknown. */
function sizeOf({ headers }: Response, body: RecordedBody | undefined): number | null {
  if (body?.isWhole === true) return body.size;
  const length = headers.get("content-encoding") === null ? headers.get("content-length") : null;
  return length === null ? null : Number(length);
}

function withBody({ url, method, headers, signal }: Request, body: ReadableStream<Uint8Array<ArrayBuffer>>): Request {
  return new Request(url, { method, headers, body, signal });
}

function messageOf(
  redaction: Redaction,
  headers: Headers,
  kept: RecordedBody | undefined,
  size: number | null,
): Message {
  const shown = [...headers].map(([name, value]) => ({ name, value: redaction.header(name, value) }));
  const bytes = kept?.bytes();
  if (kept === undefined || bytes === undefined || (bytes.length === 0 && kept.isWhole)) {
    return { headers: shown, size, body: null, is_base64: false, is_cut: false };
  }
  const text = decodeText(bytes);
  const body = text === undefined ? bytes.toString("base64") : redaction.text(text);
  return { headers: shown, size, body, is_base64: text === undefined, is_cut: kept.isCut };
}

/** Returns the text; undefined for binary data. The last character may be truncated. */
function decodeText(bytes: Buffer): string | undefined {
  for (let left = 0; left < 4 && left <= bytes.length; left += 1) {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, bytes.length - left));
      return text.includes("\0") ? undefined : text;
    } catch {
      if (bytes.length < bodyBytesMax) return undefined;
    }
  }
  return undefined;
}
