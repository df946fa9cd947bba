/**
 * The digest that the store keeps of a secret token: SHA-256 in hexadecimal digits. Tokens are too long to be guessed.
 */
export function digestOf(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}
