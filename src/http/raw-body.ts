import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { Failure } from "../domain/failure.ts";
import type { Upload } from "../domain/parameters.ts";
import type { ContentCoding, RawBody, RawForm, RawRequest } from "../modules/raw-request.ts";
import { bodyBytesMax, entityTooLarge, mediaTypeOf, unsupportedType } from "./body.ts";
import { drainBytes, readBytes, streamBytes } from "./body-bytes.ts";
import type { Exchange } from "./exchange.ts";
import { readMultipart } from "./multipart.ts";
import { badRequest } from "./refusals.ts";
import { FilePart, type RawValue } from "./values.ts";

const unpackers: Readonly<Record<ContentCoding, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The request as a handler sees it beside its parameters. */
export function rawRequestOf(
  { request, gone }: Pick<Exchange, "request" | "gone">,
  declared: RawBody | "ignored" | undefined,
): RawRequest {
  return {
    get gone() {
      return gone();
    },
    header: (name) => request.headers.get(name),
    get mediaType() {
      return typeOf(request);
    },
    bytes: () => readRaw(request, rawBodyOf(declared)),
    stream() {
      const { sizeBytesMax, refuseSize = entityTooLarge } = rawBodyOf(declared);
      return streamBytes(request, sizeBytesMax, refuseSize);
    },
    form: () => readForm(request, rawBodyOf(declared)),
  };
}

function rawBodyOf(declared: RawBody | "ignored" | undefined): RawBody {
  if (typeof declared !== "object") throw new Error("the operation declares no raw body");
  return declared;
}

async function readForm(request: Request, { sizeBytesMax, refuseSize = entityTooLarge }: RawBody): Promise<RawForm> {
  const bytes = await readBytes(request, Math.min(sizeBytesMax, bodyBytesMax), refuseSize);
  try {
    const values = await readMultipart(bytes, request.headers.get("content-type") ?? "");
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

/** Throws 415 for a type that the operation does not take, whatever the body is. */
export function refuseUndeclaredType(request: Request, { types }: RawBody): void {
  const mediaType = typeOf(request);
  if (types !== undefined && !types.includes(mediaType)) throw unsupportedType(mediaType);
}

function typeOf({ headers }: Request): string {
  return mediaTypeOf(headers.get("content-type") ?? "");
}

async function readRaw(request: Request, declared: RawBody): Promise<Uint8Array> {
  const { sizeBytesMax, codings = [], refuseSize = entityTooLarge, refuseUnreadable = badRequest } = declared;
  const named = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  const bytes = declared.isDrained
    ? await drainBytes(request, sizeBytesMax, bodyBytesMax, refuseSize)
    : await readBytes(request, sizeBytesMax, refuseSize);
  if (named === "" || named === "identity") return bytes;
  const coding = codings.find((each) => each === named || `x-${each}` === named);
  if (coding === undefined) throw refuseUnreadable();
  try {
    return unpackers[coding](bytes, { maxOutputLength: sizeBytesMax });
  } catch (error) {
    throw isTooLarge(error) ? refuseSize() : refuseUnreadable();
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
