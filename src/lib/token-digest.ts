/** What is kept of a token that only its owner knows: SHA-256, in hexadecimal digits. Tokens are too long to be guessed. */
export function digestOf(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}
