/** The refusal of texts that the parser would make too many nodes of. */

import type { Budget } from "../budget.ts";
import { tooBig } from "../extent.ts";
import { CiFileError } from "../values.ts";

const charactersPerStep = 64;

const marks = new Set([..."?:,&[{"].map((mark) => mark.charCodeAt(0)));
const dash = "-".charCodeAt(0);

/**
 * The parser holds the event loop for as long as it has nodes to make, and cannot be stopped. So the characters that begin
 * or end a node are counted before it, in texts too. Throws `CiFileError` for more than `marksMax`.
 */
export function requireFewMarks(text: string, marksMax: number, budget: Budget): void {
  budget.charge(text.length / charactersPerStep);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A dash within a word is none.
    if (marks.has(code) || (code === dash && !(text.charCodeAt(at + 1) > 32))) count += 1;
    if (count > marksMax) throw new CiFileError(tooBig);
  }
}
