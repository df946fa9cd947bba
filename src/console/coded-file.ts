import { brotliCompressSync, constants } from "node:zlib";
import { acceptsCoding } from "../lib/text/accept-encoding.ts";
import type { FileContent } from "../modules/kernel/operation.ts";

/** A file in several HTTP content codings. The functions read it for each request, or return a cached one. */
export interface CodedFile {
  readonly br: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Returns the content codings of a file. Brotli's level 11 is slow, so it is for files that are built once and sent often.
 */
export function encoded(bytes: Uint8Array<ArrayBuffer>, brotliLevel: number) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliLevel };
  return { br: new Uint8Array(brotliCompressSync(bytes, { params })), gzip: Bun.gzipSync(bytes, { level: 9 }) };
}

/** Returns a file that is made while the server runs, with its content codings in memory. */
export function inMemory(bytes: Uint8Array<ArrayBuffer>): CodedFile {
  const { br, gzip } = encoded(bytes, 5);
  return { br: async () => br, gzip: async () => gzip };
}

/** Returns the file in the smallest content coding that `Accept-Encoding` allows, else uncompressed. */
export async function contentOf(
  file: CodedFile,
  contentType: string,
  acceptEncoding: string | null,
): Promise<FileContent> {
  const headers = { Vary: "Origin, Accept-Encoding" };
  if (acceptsCoding(acceptEncoding, "br")) {
    return { contentType, content: await file.br(), headers: { ...headers, "Content-Encoding": "br" } };
  }
  const gzip = await file.gzip();
  if (acceptsCoding(acceptEncoding, "gzip")) {
    return { contentType, content: gzip, headers: { ...headers, "Content-Encoding": "gzip" } };
  }
  return { contentType, content: Bun.gunzipSync(gzip), headers };
}

/** Returns the media type for a file name extension. */
export function typeOf(name: string): string {
  if (name.endsWith(".svg")) return "image/svg+xml";
  return `${name.endsWith(".css") ? "text/css" : "text/javascript"}; charset=utf-8`;
}
