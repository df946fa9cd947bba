import { badRequest } from "../params/refusals.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws 400 when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest();
  }
}
