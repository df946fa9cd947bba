import { connect } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
  /** Without its transfer encoding. */
  readonly body: string;
}

/** A request that a stock `fetch` would refuse to send or would normalise first. */
export interface RawRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Content-Length` is added. */
  readonly body?: string | Uint8Array;
}

/** One request over its own connection, byte for byte. */
export async function sendRaw(
  origin: string,
  { method, target, headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  const { host } = new URL(origin);
  const bytes = Buffer.from(body);
  const lines = Object.entries({
    Host: host,
    Connection: "close",
    ...(bytes.length > 0 ? { "Content-Length": `${bytes.length}` } : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return parseAnswer(await exchangeBytes(origin, Buffer.concat([head, bytes])));
}

/** Sends bytes, and reads until the server closes. */
export function exchangeBytes(origin: string, bytes: Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(received)));
    socket.on("error", reject);
  });
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const headEnd = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(headEnd + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? dechunk(rest) : rest;
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.toString() };
}

function dechunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
