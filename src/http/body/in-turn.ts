import { OneAtATime } from "../../lib/one-at-a-time.ts";
import { paceOf, type Steps, takeAtOnce, takeSteps } from "../../lib/yield.ts";

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

/** Does what `parseInTurn` does, and others have their turn between the steps of a large body. */
export function parseInSteps<R>(bytes: Uint8Array, parse: (bytes: Uint8Array) => Steps<R>): R | Promise<R> {
  if (bytes.length <= smallBytesMax) return takeAtOnce(parse(bytes));
  return inTurn(() =>
    takeSteps(
      parse(bytes),
      paceOf(() => false),
    ),
  );
}

/** Runs the work as `parseInTurn` parses a large body. */
export function inTurn<R>(work: () => R | Promise<R>): Promise<R> {
  return largeBodies.run(work);
}
