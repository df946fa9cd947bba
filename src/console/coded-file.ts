import { brotliCompressSync, constants } from "node:zlib";
import { acceptsCoding } from "../lib/text/accept-encoding.ts";
import type { FileContent } from "../modules/kernel/operation.ts";

/** A file by codings of HTTP. The functions read it again for each request, or return a cached one. */
export interface CodedFile {
  readonly br: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly gzip: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** The codings of a file. Level 11 of Brotli is slow: for what is built once and sent often. */
export function encoded(bytes: Uint8Array<ArrayBuffer>, brotliLevel: number) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliLevel };
  return { br: new Uint8Array(brotliCompressSync(bytes, { params })), gzip: Bun.gzipSync(bytes, { level: 9 }) };
}

/** A file that is made while the server runs; memory keeps its codings. */
export function inMemory(bytes: Uint8Array<ArrayBuffer>): CodedFile {
  const { br, gzip } = encoded(bytes, 5);
  return { br: async () => br, gzip: async () => gzip };
}

/** The file in the smallest coding that `Accept-Encoding` names, decoded for a client that names none. */
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

/** Returns the media type of a file by the end of its name. */
export function typeOf(name: string): string {
  if (name.endsWith(".svg")) return "image/svg+xml";
  return `${name.endsWith(".css") ? "text/css" : "text/javascript"}; charset=utf-8`;
}
