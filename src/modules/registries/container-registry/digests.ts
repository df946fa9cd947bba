/** The digests of blobs and manifests. */

import { digestInvalid } from "./distribution/failures.ts";

const form = /^(?:sha256:([0-9a-f]{64})|sha512:([0-9a-f]{128}))$/;

/**
 * `sha256:…` or `sha512:…` → its hexadecimal digits, which say by their number of which kind they are; undefined for every other
 * text, digests of other algorithms included.
 */
export function hexOf(digest: string): string | undefined {
  const [, sha256, sha512] = form.exec(digest) ?? [];
  return sha256 ?? sha512;
}

/** Returns the hexadecimal digits of a digest. Throws 400 `DIGEST_INVALID`. */
export function readDigest(digest: string | undefined): string {
  const hex = digest === undefined ? undefined : hexOf(digest);
  if (hex === undefined) throw digestInvalid(digest);
  return hex;
}

export function digestOf(hex: string): string {
  return `${isSha512(hex) ? "sha512" : "sha256"}:${hex}`;
}

/** Recognises a SHA-512 by the number of its hexadecimal digits. */
export function isSha512(hex: string): boolean {
  return hex.length === 128;
}

/** SHA-512 of bytes, in hexadecimal digits. */
export async function sha512Of(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha512");
  for await (const chunk of chunks) hasher.update(chunk);
  return hasher.digest("hex");
}
