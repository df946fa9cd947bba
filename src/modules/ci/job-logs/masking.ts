/** The masking of job tokens in logs that come in pieces. */

/** The prefix of job tokens, which is no secret. */
export const jobTokenPrefix = "glcbt-";

/** A piece of a log as it may be read. */
export interface MaskedPiece {
  /** The bytes without an end that may turn out to be a part of the token. */
  readonly bytes: Uint8Array;
  /** The number of bytes at the end of the log that equal the beginning of the token. */
  readonly tokenStart: number;
}

/** The number of bytes at the end of a log that readers do not get yet: those behind the public prefix. */
export function heldBytes(tokenStart: number): number {
  return Math.max(0, tokenStart - jobTokenPrefix.length);
}

/**
 * A log is read by more people than those who may act as the job: `x` stands where its token did, also where a runner sent
 * the token in several pieces. `tokenStart` says how the log before ends; what was held back of it is the token's own
 * beginning, so the bytes need not be stored.
 */
export function maskPiece(piece: Uint8Array, token: string, tokenStart: number): MaskedPiece {
  const text = Buffer.concat([Buffer.from(token.slice(0, tokenStart)), piece]);
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + token.length)) {
    text.fill("x", at, at + token.length);
  }
  const startNow = tokenStartOf(text, Buffer.from(token));
  const known = Math.min(tokenStart, jobTokenPrefix.length);
  return { bytes: text.subarray(known, text.length - heldBytes(startNow)), tokenStart: startNow };
}

/** The longest end of a text that is a beginning of the token, but not the whole of it. */
function tokenStartOf(text: Buffer, token: Buffer): number {
  for (let length = Math.min(text.length, token.length - 1); length > 0; length -= 1) {
    if (text.subarray(text.length - length).equals(token.subarray(0, length))) return length;
  }
  return 0;
}
