import { OneAtATime } from "../../lib/one-at-a-time.ts";
import { paceOf, type Steps, takeAtOnce, takeSteps } from "../../lib/yield.ts";

/** Bodies up to this size take about a millisecond. */
const smallBytesMax = 64 * 1024;
const largeBodies = new OneAtATime();

/**
 * Returns the result of `parse`. Parses a large body after a pause for other work, one body at a time. The operation then
 * runs up to its first wait.
 */
export function parseInTurn<R>(bytes: Uint8Array, parse: (bytes: Uint8Array) => R): R | Promise<R> {
  return bytes.length > smallBytesMax ? inTurn(() => parse(bytes)) : parse(bytes);
}

/** Does what `parseInTurn` does, with pauses for other work between the steps of a large body. */
export function parseInSteps<R>(bytes: Uint8Array, parse: (bytes: Uint8Array) => Steps<R>): R | Promise<R> {
  if (bytes.length <= smallBytesMax) return takeAtOnce(parse(bytes));
  return inTurn(() =>
    takeSteps(
      parse(bytes),
      paceOf(() => false),
    ),
  );
}

/** Runs work in the way in which `parseInTurn` parses a large body. */
export function inTurn<R>(work: () => R | Promise<R>): Promise<R> {
  return largeBodies.run(work);
}
