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
  /** Bytes of a body with a coding, and of what it unpacks to, where they may be fewer: it is unpacked in memory. */
  readonly codedBytesMax?: number;
  /** Media types that are taken, `""` for none declared; all unless said. Others are 415, before any other check. */
  readonly types?: readonly string[];
  /** The values of `Content-Encoding` that are unpacked; without them, a body with that header is unreadable. */
  readonly codings?: readonly ContentCoding[];
  /** The contract's own error for a body that is too long or has no length; 413 and 400 as everywhere if absent. */
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
  /** The query as it was sent. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** The request as it came, for what is no parameter. */
export interface RawRequest {
  /** The query as it was sent, without the question mark. */
  readonly search: string;
  /** Ignores the case of the name; null for a header that was not sent. */
  header(name: string): string | null;
  /** Aborted when the client is gone before its answer: work for it may stop. */
  readonly gone: AbortSignal;
  /** The media type of the body without its parameters, in lower case; `""` when none is declared. */
  readonly mediaType: string;
  /** The whole body, unpacked; for operations that declare a `RawBody`. Throws what that says. */
  bytes(): Promise<Uint8Array>;
  /** Yields the body in pieces as they arrive, never unpacked, for bodies that memory should not hold. Throws as `bytes`. */
  stream(): AsyncIterable<Uint8Array>;
  /** A multipart body by its names, at most as long as a body of parameters may be; no part where it cannot be read. */
  form(): Promise<RawForm>;
}

export interface RawForm {
  readonly parts: ReadonlyMap<string, string | Upload>;
  /** All of it, as it came. */
  readonly bytes: Uint8Array;
}
