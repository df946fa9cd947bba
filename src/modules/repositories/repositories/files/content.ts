/** The bytes of a file that a parameter holds. */

import { Failure } from "../../../../domain/failure.ts";

/** base64 may be wrapped into lines, in either alphabet, with or without its padding. Throws 400. */
export function decodeContent(content: string, encoding: string | undefined): Uint8Array {
  if (encoding !== "base64") return Buffer.from(content);
  // The decoder leaves out characters that are not in its alphabet, so a result of the full length needs no look at each of them.
  const bytes = Buffer.from(content, "base64");
  const padding = content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0;
  if (bytes.byteLength === Math.floor(((content.length - padding) * 3) / 4)) return bytes;
  const bare = content.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(bare)) throw new Failure("parameters", { error: "content is invalid" });
  return Buffer.from(bare, "base64");
}
