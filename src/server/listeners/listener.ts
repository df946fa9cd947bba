import type { Server } from "bun";
import type { Config } from "../../config/config.ts";
import { StartError } from "../../domain/start-error.ts";
import { sandboxMark } from "../../http/responses/sandbox-mark.ts";
import { isFdLimit } from "../../lib/fd-limit.ts";
import type { Log } from "../../lib/log.ts";
import { findPortOwner } from "./port-owner.ts";

export type Fetch = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

/** A listening server. */
export interface Listener {
  /** `http://HOST:PORT` or `https://HOST:PORT` with the actual port, or `unix:PATH` for a socket file. */
  readonly origin: string;
  /** undefined for a socket file. */
  readonly port: number | undefined;
  /** The authority that clients must trust, if the server made its own certificate. */
  readonly authority: Authority | undefined;
  /** The number of requests that wait for an answer. */
  readonly pendingRequests: number;
  /** Stops accepting connections. Resolves when all pending requests are answered. */
  stop(): Promise<void>;
  /** Closes all connections. */
  cutOff(): void;
}

/** A local certificate authority. */
export interface Authority {
  /** The absolute path of its certificate, in PEM. */
  readonly file: string;
  /** The SHA-256 of the certificate, as `AB:CD:…`. */
  readonly fingerprint: string;
}

/** Higher than every limit of the request handler, so that its error comes before that of the runtime. */
const bodyBytesMax = 2 ** 40;
/** The seconds without a byte after which the server closes a connection. */
export const idleSecondsMax = 30;

/** The handler of requests, and the log for responses that the runtime could not send. */
export interface Serving {
  readonly fetch: Fetch;
  readonly log: Log;
  readonly isSandbox: boolean;
}

/**
 * `development: false`, since the runtime's error page shows folders of this machine. `reusePort: false`, since otherwise
 * another server could share the port and get some of the requests.
 */
const limits = {
  maxRequestBodySize: bodyBytesMax,
  idleTimeout: idleSecondsMax,
  development: false,
  reusePort: false,
} as const;

export function serveTcp(
  { host, port }: Pick<Config, "host" | "port">,
  { fetch, ...answering }: Serving,
  more: { readonly tls?: { cert: string; key: string }; readonly reusePort?: boolean },
): Server<undefined> {
  const error = (thrown: unknown) => answerUnsent(answering, thrown);
  return Bun.serve({ ...limits, ...more, hostname: host, port, fetch, error });
}

export function serveSocket(path: string, { fetch, ...answering }: Serving): Server<undefined> {
  const error = (thrown: unknown) => answerUnsent(answering, thrown);
  // The types lack a timeout here, but the runtime uses it.
  const options = { ...limits, unix: path, fetch, error } as Bun.Serve.UnixServeOptions<undefined>;
  return Bun.serve(options as Parameters<typeof Bun.serve<undefined>>[0]);
}

/** Returns the answer in place of one that could not be sent, such as a file that can no longer be opened. */
function answerUnsent({ log, isSandbox }: Omit<Serving, "fetch">, thrown: unknown): Response {
  const requestId = crypto.randomUUID();
  const isMomentary = isFdLimit(thrown);
  const fields = { request_id: requestId, error: String(thrown) };
  if (isMomentary) log.warn(fields, "too many open files");
  else log.error(fields, "an answer could not be sent");
  const message = isMomentary ? "503 Service Unavailable" : "500 Internal Server Error";
  return new Response(JSON.stringify({ message }), {
    status: isMomentary ? 503 : 500,
    headers: {
      "Content-Type": "application/json",
      "X-Request-Id": requestId,
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
      ...(isSandbox && sandboxMark),
      ...(isMomentary && { "Retry-After": "1" }),
    },
  });
}

export function originOf(scheme: "http" | "https", host: string, { port }: Server<undefined>): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the address for a client on this machine, with localhost for a wildcard address. */
export function calledAt(origin: string): string {
  return origin.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** Runs `bind`, and converts its errors into `StartError`. */
export function mapBindErrors<T>({ host, port, socket }: Config, bind: () => T): T {
  try {
    return bind();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reason = error instanceof Error ? error.message : String(error);
    if (socket !== undefined) {
      throw new StartError(`cannot listen on ${socket}: ${reason}`, "outpost serve --socket /tmp/outpost.sock", {
        cause: error,
      });
    }
    if (code === "EADDRINUSE") {
      const holder = findPortOwner(port);
      const taker = holder === undefined ? "" : ` by ${holder}`;
      throw new StartError(`port ${port} is taken on ${host}${taker}`, "outpost serve --port 0", { cause: error });
    }
    if (code === "EACCES") {
      throw new StartError(
        `permission denied for port ${port}`,
        "outpost serve --port 8080; or outpost install-service --port NUMBER, which makes systemd allow it",
        { cause: error },
      );
    }
    throw new StartError(`cannot listen on ${host}:${port}: ${reason}`, "outpost serve --host 127.0.0.1", {
      cause: error,
    });
  }
}
