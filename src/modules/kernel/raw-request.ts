import type { Failure } from "../../domain/failure.ts";
import type { Upload } from "../../domain/parameters.ts";

export type ContentCoding = "gzip" | "deflate" | "br";

/**
 * A body that is no bag of parameters: the handler asks for its bytes, after the checks that need none of them. The
 * parameters come from path and query only.
 */
export interface RawBody {
  /** Bytes, also of what is unpacked: both are counted on the way, so neither is ever held beyond it. */
  readonly sizeBytesMax: number;
  /** Media types that are taken, `""` for none declared; all unless said. Others are 415, before any other check. */
  readonly types?: readonly string[];
  /** The values of `Content-Encoding` that are unpacked; without them, a body with that header is unreadable. */
  readonly codings?: readonly ContentCoding[];
  /** In the words of a page: 413 and 400 as everywhere unless said. */
  readonly refuseSize?: () => Failure;
  /** A body that is too long is read to its end, so that a client that sends without listening gets the answer. */
  readonly isDrained?: true;
  readonly refuseUnreadable?: () => Failure;
}

/** The part of a request before its body. */
export interface RequestHead {
  /** Ignores the case of the name; null for a header that was not sent. */
  header(name: string): string | null;
  readonly path: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** The request as it came, for what is no parameter. */
export interface RawRequest {
  /** Ignores the case of the name; null for a header that was not sent. */
  header(name: string): string | null;
  /** Aborted when the client is gone before its answer: work for it may stop. */
  readonly gone: AbortSignal;
  /** The media type of the body without its parameters, in lower case; `""` when none is declared. */
  readonly mediaType: string;
  /** The whole body, unpacked; for operations that declare a `RawBody`. Throws what that says. */
  bytes(): Promise<Uint8Array>;
  /** As `bytes`, a piece at a time as it comes, for bodies that memory should not hold; never unpacked. */
  stream(): AsyncIterable<Uint8Array>;
  /** A multipart body by its names, at most as long as a body of parameters may be; no part where it cannot be read. */
  form(): Promise<RawForm>;
}

export interface RawForm {
  readonly parts: ReadonlyMap<string, string | Upload>;
  /** All of it, as it came. */
  readonly bytes: Uint8Array;
}
