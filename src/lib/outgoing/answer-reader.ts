/** The answer of a receiver. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** True when the body was longer, and the rest was not read. */
  readonly isCut: boolean;
}

/** Thrown when the receiver's answer is not valid HTTP, or too long. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

const headBytesMax = 64 << 10;
const sizeLineBytesMax = 1 << 10;

type Head = Pick<OutgoingAnswer, "status" | "headers">;

type BodyEnd = { readonly kind: "length"; left: number } | { readonly kind: "chunked" } | { readonly kind: "close" };

/** Reads an answer in HTTP/1.1, up to the requested number of bytes. */
export class AnswerReader {
  readonly #bodyBytesMax: number;
  readonly #hasBody: boolean;
  /** Unparsed bytes: of the head, or of the line with the size of a chunk. */
  #pending: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #end: BodyEnd = { kind: "close" };
  /** The remaining bytes of the current chunk, including its line end. */
  #chunkLeft = 0;
  readonly #body: Buffer[] = [];
  #bodyBytes = 0;
  #isCut = false;
  #isDone = false;

  constructor(options: { readonly bodyBytesMax: number; readonly method: string }) {
    this.#bodyBytesMax = options.bodyBytesMax;
    this.#hasBody = options.method !== "HEAD";
  }

  /** Parses the next bytes. Returns the answer once it is complete or has the requested size. Throws `BadAnswer`. */
  take(bytes: Buffer): OutgoingAnswer | undefined {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    while (this.#head === undefined) if (!this.#readHead()) return undefined;
    while (!this.#isDone && this.#readBody());
    return this.#isDone ? this.#answer() : undefined;
  }

  /** Returns the answer when the connection ends. Throws `BadAnswer` for an incomplete one. */
  finish(): OutgoingAnswer {
    if (this.#head === undefined || (!this.#isDone && this.#end.kind !== "close")) {
      throw new BadAnswer("the connection ended before the answer");
    }
    return this.#answer();
  }

  #answer(): OutgoingAnswer {
    const { status, headers } = this.#head as Head;
    return { status, headers, body: Buffer.concat(this.#body), isCut: this.#isCut };
  }

  /** Parses the head. Returns false when it is incomplete. */
  #readHead(): boolean {
    const end = this.#pending.indexOf("\r\n\r\n");
    if (end > headBytesMax || (end === -1 && this.#pending.length > headBytesMax)) {
      throw new BadAnswer(`the head of the answer has more than ${headBytesMax} bytes`);
    }
    if (end === -1) return false;
    const [first = "", ...lines] = this.#pending.subarray(0, end).toString("latin1").split("\r\n");
    this.#pending = this.#pending.subarray(end + 4);
    const [, code] = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(first) ?? [];
    if (code === undefined) throw new BadAnswer("the answer is no HTTP");
    const status = Number(code);
    // An informational answer, which another one follows.
    if (status >= 100 && status < 200 && status !== 101) return true;
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(":");
      if (at < 1) throw new BadAnswer("the answer has a header without a name");
      return [line.slice(0, at), line.slice(at + 1).trim()];
    });
    this.#head = { status, headers };
    this.#begin(status, new Map(headers.map(([name, value]) => [name.toLowerCase(), value])));
    return true;
  }

  #begin(status: number, headers: ReadonlyMap<string, string>): void {
    const length = headers.get("content-length");
    if (!this.#hasBody || status === 204 || status === 304 || status === 101) this.#isDone = true;
    else if (headers.get("transfer-encoding")?.toLowerCase().endsWith("chunked") === true)
      this.#end = { kind: "chunked" };
    else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length)) throw new BadAnswer("the answer has no length");
      this.#end = { kind: "length", left: Number(length) };
      this.#isDone = Number(length) === 0;
    }
  }

  /** Parses a part of the body. Returns false when it needs more bytes. */
  #readBody(): boolean {
    if (this.#end.kind === "chunked" && this.#chunkLeft === 0) return this.#readSize();
    if (this.#pending.length === 0) return false;
    const { kind } = this.#end;
    const left = kind === "length" ? this.#end.left : kind === "chunked" ? this.#chunkLeft : Number.POSITIVE_INFINITY;
    const piece = this.#pending.subarray(0, left);
    this.#pending = this.#pending.subarray(piece.length);
    if (kind === "length") {
      this.#end.left -= piece.length;
      this.#keep(piece);
      this.#isDone ||= this.#end.left === 0;
      return true;
    }
    if (kind === "close") {
      this.#keep(piece);
      return true;
    }
    this.#chunkLeft -= piece.length;
    // The last two bytes of a chunk are its line end.
    this.#keep(piece.subarray(0, Math.max(piece.length - Math.max(2 - this.#chunkLeft, 0), 0)));
    return true;
  }

  #readSize(): boolean {
    const end = this.#pending.indexOf("\r\n");
    if (end > sizeLineBytesMax || (end === -1 && this.#pending.length > sizeLineBytesMax)) {
      throw new BadAnswer("the answer has a chunk without a size");
    }
    if (end === -1) return false;
    const [, size] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(this.#pending.subarray(0, end).toString("latin1")) ?? [];
    if (size === undefined) throw new BadAnswer("the answer has a chunk without a size");
    this.#pending = this.#pending.subarray(end + 2);
    const length = Number.parseInt(size, 16);
    if (length === 0) this.#isDone = true;
    else this.#chunkLeft = length + 2;
    return true;
  }

  #keep(piece: Buffer): void {
    const room = this.#bodyBytesMax - this.#bodyBytes;
    this.#body.push(piece.subarray(0, room));
    this.#bodyBytes += Math.min(piece.length, room);
    if (piece.length <= room) return;
    this.#isCut = true;
    this.#isDone = true;
  }
}
