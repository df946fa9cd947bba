import { OneAtATime } from "../../lib/one-at-a-time.ts";

/** Bodies up to here take a millisecond or so. */
const smallBytesMax = 64 * 1024;
const largeBodies = new OneAtATime();

/**
 * Returns the result of `parse`. A large body is parsed after a pause for other work of the event loop, one body at a time,
 * and so runs the operation up to its first wait.
 */
export function parseInTurn<R>(bytes: Uint8Array, parse: (bytes: Uint8Array) => R): R | Promise<R> {
  return bytes.length > smallBytesMax ? inTurn(() => parse(bytes)) : parse(bytes);
}

/** Runs the work as `parseInTurn` parses a large body. */
export function inTurn<R>(work: () => R): Promise<R> {
  return largeBodies.run(work);
}
