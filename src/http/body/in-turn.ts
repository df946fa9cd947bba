import { OneAtATime } from "../../lib/one-at-a-time.ts";

/** Bodies up to here take a millisecond or so. */
const smallBytesMax = 64 * 1024;
const largeBodies = new OneAtATime();

/**
 * What `parse` returns. A large body is parsed after others had their turn of the event loop, one body at a time, and so is
 * what the operation does with it up to its first wait.
 */
export function parseInTurn<R>(bytes: Uint8Array, parse: (bytes: Uint8Array) => R): R | Promise<R> {
  return bytes.length > smallBytesMax ? inTurn(() => parse(bytes)) : parse(bytes);
}

/** As `parseInTurn` with a large body. */
export function inTurn<R>(work: () => R): Promise<R> {
  return largeBodies.run(work);
}
