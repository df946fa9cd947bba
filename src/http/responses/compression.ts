/** JSON that is sent compressed to clients that accept it (rest-conventions 4). */

import { acceptsCoding } from "../../lib/text/accept-encoding.ts";

/** Compression of less would save less than its headers cost. */
const bytesMin = 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** The codings, fastest first, each at its fastest level. A page of 4 KB takes 20 to 30 µs. */
const codings: Readonly<Record<string, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 1 })),
  gzip: (bytes) => Bun.gzipSync(bytes, { level: 1, library: "libdeflate" }),
};

/**
 * Compresses a body that is long enough, if the client accepts a coding, and sets the headers. The answer varies by
 * `Accept-Encoding` in any case.
 */
export function compressed<B extends string | Bytes>(
  request: Request,
  body: B,
  headers: Record<string, string>,
): B | Bytes {
  if (body.length < bytesMin || headers["Content-Encoding"] !== undefined) return body;
  headers.Vary = "Origin, Accept-Encoding";
  const accepted = request.headers.get("accept-encoding");
  if (accepted === null) return body;
  for (const [name, compress] of Object.entries(codings)) {
    if (!acceptsCoding(accepted, name)) continue;
    headers["Content-Encoding"] = name;
    return compress(typeof body === "string" ? Buffer.from(body) : body);
  }
  return body;
}
