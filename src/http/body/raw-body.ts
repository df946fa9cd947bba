import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { Failure } from "../../domain/failure.ts";
import type { Upload } from "../../domain/parameters.ts";
import type { ContentCoding, RawBody, RawForm, RawRequest } from "../../modules/kernel/raw-request.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { type Sender, strangersBytesMax } from "../limits/sender.ts";
import { badRequest } from "../params/refusals.ts";
import { FilePart, type RawValue } from "../params/values.ts";
import { bodyBytesMax, entityTooLarge, longTextBytesMax, mediaTypeOf, unsupportedType } from "./body.ts";
import { drainBytes, readBytes, type SizeLimit, streamBytes } from "./body-bytes.ts";
import { inTurn, parseInTurn } from "./in-turn.ts";
import { readMultipart } from "./multipart.ts";

const unpackers: Readonly<Record<ContentCoding, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The raw request for a handler, besides the parameters. */
export class RequestBody implements RawRequest {
  readonly #requestContext: Pick<RequestContext, "request" | "gone" | "sender" | "search">;
  readonly #declared: RawBody | "ignored" | undefined;

  constructor(
    requestContext: Pick<RequestContext, "request" | "gone" | "sender" | "search">,
    declared: RawBody | "ignored" | undefined,
  ) {
    this.#requestContext = requestContext;
    this.#declared = declared;
  }

  get search(): string {
    return this.#requestContext.search;
  }

  get gone(): AbortSignal {
    return this.#requestContext.gone();
  }

  get mediaType(): string {
    return typeOf(this.#requestContext.request);
  }

  header(name: string): string | null {
    return this.#requestContext.request.headers.get(name);
  }

  bytes(): Promise<Uint8Array> {
    const { request, sender } = this.#requestContext;
    return readRaw(request, rawBodyOf(this.#declared), sender);
  }

  stream(): AsyncGenerator<Uint8Array> {
    const { request, sender } = this.#requestContext;
    return streamRaw(request, rawBodyOf(this.#declared), sender);
  }

  form(): Promise<RawForm> {
    const { request, sender } = this.#requestContext;
    return readForm(request, rawBodyOf(this.#declared), sender);
  }
}

function rawBodyOf(declared: RawBody | "ignored" | undefined): RawBody {
  if (typeof declared !== "object") throw new Error("the operation declares no raw body");
  return declared;
}

function limitOf({ sizeBytesMax, refuseSize = entityTooLarge }: RawBody, sender: Sender | undefined): SizeLimit {
  const ofSender = sender?.isStranger ? Math.min(sizeBytesMax, strangersBytesMax) : sizeBytesMax;
  return { sizeBytesMax: ofSender, refuse: refuseSize };
}

function codedLimit(declared: RawBody): RawBody {
  const { sizeBytesMax, codedBytesMax = sizeBytesMax } = declared;
  return { ...declared, sizeBytesMax: Math.min(sizeBytesMax, codedBytesMax) };
}

async function* streamRaw(request: Request, declared: RawBody, sender: Sender | undefined): AsyncGenerator<Uint8Array> {
  if (sender !== undefined) yield* streamBytes(request, limitOf(declared, sender), sender);
}

async function readForm(request: Request, declared: RawBody, sender: Sender | undefined): Promise<RawForm> {
  if (sender === undefined) return { bytes: new Uint8Array(), parts: new Map() };
  const { sizeBytesMax, refuse } = limitOf(declared, sender);
  const bytes = await readBytes(request, { sizeBytesMax: Math.min(sizeBytesMax, bodyBytesMax), refuse }, sender);
  try {
    const values = await readMultipart(
      bytes,
      request.headers.get("content-type") ?? "",
      longTextBytesMax,
      entityTooLarge,
    );
    return { bytes, parts: new Map(Object.entries(values).flatMap(([name, value]) => partOf(name, value))) };
  } catch (error) {
    if (error instanceof Failure) return { bytes, parts: new Map() };
    throw error;
  }
}

function partOf(name: string, value: RawValue | undefined): [string, string | Upload][] {
  if (value instanceof FilePart) return [[name, value]];
  return typeof value === "string" ? [[name, value]] : [];
}

/** Throws 415 for a content type that the operation does not accept. */
export function refuseUndeclaredType(request: Request, { types }: RawBody): void {
  const mediaType = typeOf(request);
  if (types !== undefined && !types.includes(mediaType)) throw unsupportedType(mediaType);
}

function typeOf({ headers }: Request): string {
  return mediaTypeOf(headers.get("content-type") ?? "");
}

async function readRaw(request: Request, declared: RawBody, sender: Sender | undefined): Promise<Uint8Array> {
  const { codings = [], refuseUnreadable = badRequest } = declared;
  const named = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  const isCoded = named !== "" && named !== "identity";
  const limit = limitOf(isCoded ? codedLimit(declared) : declared, sender);
  const bytes = sender === undefined ? new Uint8Array() : await readOrDrain(request, declared, limit, sender);
  if (!isCoded) return parseInTurn(bytes, (whole) => whole);
  const coding = codings.find((each) => each === named || `x-${each}` === named);
  if (coding === undefined) throw refuseUnreadable();
  try {
    return await inTurn(() => unpackers[coding](bytes, { maxOutputLength: limit.sizeBytesMax }));
  } catch (error) {
    throw isTooLarge(error) ? (declared.refuseSize ?? entityTooLarge)() : refuseUnreadable();
  }
}

function readOrDrain(request: Request, { isDrained }: RawBody, limit: SizeLimit, sender: Sender): Promise<Uint8Array> {
  if (!isDrained) return readBytes(request, limit, sender);
  return drainBytes(request, limit, sender.isStranger ? 2 * strangersBytesMax : bodyBytesMax, sender);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
