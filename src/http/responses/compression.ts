/** JSON that is sent compressed to clients that accept it (rest-conventions 4). */

import { acceptsCoding } from "../../lib/text/accept-encoding.ts";

/** Below this, headers outweigh what compression saves. */
const bytesMin = 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** The coding that costs the least comes first. Each is at its fastest level: a page of 4 KB takes 20 to 30 µs. */
const codings: Readonly<Record<string, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 1 })),
  gzip: (bytes) => Bun.gzipSync(bytes, { level: 1, library: "libdeflate" }),
};

/**
 * Returns a small body, compressed where it is long enough and the client accepts a coding; the headers follow. The answer
 * varies by `Accept-Encoding` even if this client accepts none.
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
