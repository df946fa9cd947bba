import { digestInvalid } from "./failures.ts";

const form = /^sha256:([0-9a-f]{64})$/;

/** `sha256:…` → its hexadecimal digits; undefined for every other text, digests of other algorithms included. */
export function hexOf(digest: string): string | undefined {
  return form.exec(digest)?.[1];
}

/** As `hexOf`. Throws 400 `DIGEST_INVALID`. */
export function readDigest(digest: string | undefined): string {
  const hex = digest === undefined ? undefined : hexOf(digest);
  if (hex === undefined) throw digestInvalid(digest);
  return hex;
}

export function digestOf(hex: string): string {
  return `sha256:${hex}`;
}
