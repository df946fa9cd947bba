import { connect, type Socket } from "node:net";

/** An answer as it came over a connection that stays open. */
interface KeptAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Without its transfer encoding. */
  readonly body: string;
}

/** `closed`: the server ended the connection first. `late`: nothing came in time. */
export type Outcome = KeptAnswer | "closed" | "late";

/** One connection after the other to the same server, each kept as long as the server keeps it. */
export class KeepAliveClient {
  readonly #port: number;
  readonly #hostname: string;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #look = () => {};

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#hostname = hostname;
    this.#port = Number(port);
  }

  /** Sends bytes, and waits for one whole answer. */
  async ask(bytes: Uint8Array, { isHead, waitMs }: { isHead: boolean; waitMs: number }): Promise<Outcome> {
    const socket = await this.#open();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => resolve("late"), waitMs);
    this.#look = () => {
      const read = readAnswer(this.#received, isHead, socket.destroyed);
      if (read === undefined) {
        if (socket.destroyed) resolve("closed");
        return;
      }
      this.#received = this.#received.subarray(read.bytes);
      resolve(read.answer);
    };
    socket.write(bytes);
    const outcome = await promise;
    clearTimeout(timer);
    this.#look = () => {};
    const isOver = typeof outcome === "string" || outcome.headers.get("connection") === "close";
    if (isOver || socket.destroyed) this.hangUp();
    return outcome;
  }

  /** Sends bytes and closes without waiting for anything. */
  async abandon(bytes: Uint8Array): Promise<void> {
    const socket = await this.#open();
    await new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
      socket.write(bytes, () => socket.destroy());
    });
    this.hangUp();
  }

  /** Bytes that nobody asked for: an answer too many. */
  get surplus(): string {
    return this.#received.toString("latin1");
  }

  hangUp(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
  }

  async #open(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = connect(this.#port, this.#hostname);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    socket.setNoDelay(true);
    const isCurrent = () => this.#socket === socket;
    socket.on("data", (chunk: Buffer) => {
      if (!isCurrent()) return;
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#look();
    });
    socket.on("error", () => {}); // A reset says the same as a close.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => {
      if (isCurrent()) this.#look();
    });
    return socket;
  }
}

/** The first whole answer, and how many bytes it takes; `isEnded` ends a body that says no length. */
function readAnswer(
  bytes: Buffer,
  isHead: boolean,
  isEnded: boolean,
): { answer: KeptAnswer; bytes: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const bodyStart = headEnd + 4;
  if (status >= 100 && status < 200) {
    const read = readAnswer(bytes.subarray(bodyStart), isHead, isEnded);
    return read === undefined ? undefined : { ...read, bytes: read.bytes + bodyStart };
  }
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body =
    isHead || status === 204 || status === 304
      ? { text: "", end: bodyStart }
      : readBody(bytes, bodyStart, headers, isEnded);
  return body === undefined ? undefined : { answer: { status, headers, body: body.text }, bytes: body.end };
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: ReadonlyMap<string, string>,
  isEnded: boolean,
): { text: string; end: number } | undefined {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, start);
  const length = headers.get("content-length");
  if (length === undefined && !isEnded && headers.get("connection") === "close") return undefined;
  const end = length === undefined ? bytes.length : start + Number(length);
  return bytes.length < end ? undefined : { text: bytes.toString("utf8", start, end), end };
}

function readChunks(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
