/**
 * Returns the stored digest of a secret token: SHA-256 in hexadecimal digits. It needs no salt, since tokens are too long to
 * guess.
 */
export function digestOf(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}
