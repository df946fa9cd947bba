import { lookup } from "node:dns/promises";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { connect as connectTls } from "node:tls";
import { AnswerReader, BadAnswer, type OutgoingAnswer } from "./answer-reader.ts";
import { localityOf } from "./local-address.ts";

export type { OutgoingAnswer };

/** A request to a server whose address a user has given. */
export interface OutgoingCall {
  readonly method: string;
  /** An `http:` or `https:` URL. A user and password in it become `Authorization`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The time for everything: name lookup, connection, request and answer. */
  readonly timeoutMs: number;
  /** The most bytes of the answer's body to read. */
  readonly answerBytesMax: number;
  /** True when the receiver may be on this machine or in its network. */
  readonly allowsLocal: boolean;
  /** True when the receiver may have an untrusted certificate. Default: false. */
  readonly trustsAnyCertificate?: boolean;
  readonly signal?: AbortSignal;
}

/** Makes the call. Resolves to any answer, and does not follow redirects. Throws `CallFailed`. */
export type CallHttp = (call: OutgoingCall) => Promise<OutgoingAnswer>;

/** Thrown when there is no answer. The message has neither credentials nor text of the receiver. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
}

interface HttpCallerOptions {
  /** Returns the addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** PEM certificates to trust besides the usual ones. */
  readonly ca?: string;
}

/**
 * Makes calls to addresses that a user may choose. It resolves a name once, checks each address and connects to one of them,
 * so that a later change of the name has no effect.
 */
export function httpCaller({ resolve = resolveName, ca }: HttpCallerOptions = {}): CallHttp {
  return async (call) => {
    const overtime = AbortSignal.timeout(call.timeoutMs);
    const signal = call.signal === undefined ? overtime : AbortSignal.any([overtime, call.signal]);
    try {
      const url = parseUrl(call.url);
      const request = requestText(call, url);
      const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
      const addresses = isIP(host) === 0 ? await unless(signal, resolve(host)) : [host];
      if (addresses.length === 0) throw new CallFailed("the host has no address");
      if (!call.allowsLocal) requirePublic(addresses);
      const socket = await connectToFirst(addresses, url, call, signal, ca);
      return await exchange(socket, request, call, signal);
    } catch (error) {
      if (overtime.aborted) throw new CallFailed(`the receiver took more than ${call.timeoutMs / 1000} seconds`);
      if (error instanceof CallFailed) throw error;
      throw new CallFailed(error instanceof BadAnswer ? error.message : `no connection: ${codeOf(error)}`);
    }
  };
}

/** Throws `CallFailed` for an unusable URL. */
function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw new CallFailed("the URL is invalid");
  return url;
}

/** Checks every address of a name, since the network chooses one of them. */
function requirePublic(addresses: readonly string[]): void {
  const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  for (const address of addresses) {
    const locality = localityOf(address, own);
    if (locality !== undefined) throw new CallFailed(`URL is blocked: Requests to ${locality} are not allowed`);
  }
}

async function resolveName(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

async function connectToFirst(
  addresses: readonly string[],
  url: URL,
  call: OutgoingCall,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<Socket> {
  let last: unknown;
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await openSocket(address, url, call, signal, ca);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function openSocket(
  host: string,
  { protocol, port, hostname }: URL,
  { trustsAnyCertificate = false }: OutgoingCall,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isSecure = protocol === "https:";
  const place = { host, port: port === "" ? (isSecure ? 443 : 80) : Number(port) };
  // The certificate is for the name, not for the address.
  const name = isIP(hostname) === 0 && !hostname.startsWith("[") ? { servername: hostname } : {};
  const socket: Socket = isSecure
    ? connectTls({ ...place, ...name, rejectUnauthorized: !trustsAnyCertificate, ...(ca === undefined ? {} : { ca }) })
    : connectPlain(place);
  const cutOff = () => socket.destroy(new Error("cut off"));
  signal.addEventListener("abort", cutOff, { once: true });
  socket.once("close", () => {
    signal.removeEventListener("abort", cutOff);
    reject(new Error("the connection was closed"));
  });
  socket.on("error", reject);
  socket.once(isSecure ? "secureConnect" : "connect", () => resolve(socket));
  return promise;
}

function exchange(
  socket: Socket,
  request: Uint8Array,
  { answerBytesMax: bodyBytesMax, method }: OutgoingCall,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>();
  const reader = new AnswerReader({ bodyBytesMax, method });
  const attempt = (read: () => OutgoingAnswer | undefined) => {
    try {
      const answer = read();
      if (answer !== undefined) resolve(answer);
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener("abort", () => reject(new Error("cut off")), { once: true });
  socket.on("error", reject);
  socket.on("data", (bytes: Buffer) => attempt(() => reader.take(bytes)));
  socket.once("close", () => attempt(() => reader.finish()));
  socket.write(request);
  return promise.finally(() => socket.destroy());
}

/** Headers that determine the receiver and the end of the request. Callers cannot set them. */
const ownHeaders: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding", "connection"]);
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Returns the head and body of the request. Throws `CallFailed` for headers that could start another request. */
function requestText({ method, headers = {}, body = "" }: OutgoingCall, url: URL): Uint8Array {
  const content = Buffer.from(body);
  const { username, password } = url;
  const credentials = [username, password].map(decodeURIComponent).join(":");
  const all: [string, string][] = [
    ["Host", url.host],
    ...(username === "" && password === ""
      ? []
      : [["Authorization", `Basic ${Buffer.from(credentials).toString("base64")}`] as [string, string]]),
    ...Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase())),
    ["Content-Length", String(content.length)],
    ["Connection", "close"],
  ];
  // A later header replaces an earlier one of the same name.
  const byName = new Map(all.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  for (const [name, value] of byName.values()) {
    if (!headerName.test(name) || /[\0\r\n]/.test(value)) throw new CallFailed("a header is invalid");
  }
  if (!/^[A-Z]+$/.test(method)) throw new CallFailed("the method is invalid");
  const lines = [...byName.values()].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`),
    content,
  ]);
}

/** Rejects when the signal is aborted, since a name server may take long. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Error("cut off"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code ?? message ?? "unknown";
}
