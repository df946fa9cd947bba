/** The match of names with the name of a rule, where `*` stands for any text, with slashes too. */

import { spend } from "../../../domain/work-budget.ts";

/** Steps of a look at the two ends of a name. */
const endsSteps = 3;
/** Steps of the search for a part between two stars, beside one for each character that it passes. */
const partSteps = 4;

/** The name of a rule, made ready for the names of many branches or tags. */
export class Wildcard {
  readonly #text: string;
  /** The text before the first star, and behind the last one; undefined without a star. */
  readonly #ends: readonly [start: string, end: string] | undefined;
  #middle: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
    const first = text.indexOf("*");
    this.#ends = first === -1 ? undefined : [text.slice(0, first), text.slice(text.lastIndexOf("*") + 1)];
  }

  /** Whether the rule is about a name. Throws `OverBudget`. */
  matches(name: string): boolean {
    spend(endsSteps);
    if (this.#ends === undefined) return name === this.#text;
    const [start, end] = this.#ends;
    if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
    // Only now: most rules are about other names.
    this.#middle ??= this.#text
      .slice(start.length, this.#text.length - end.length)
      .split("*")
      .filter(Boolean);
    if (this.#middle.length === 0) return true;
    spend(name.length + this.#middle.length * partSteps);
    return hasInOrder(name.slice(start.length, name.length - end.length), this.#middle);
  }
}

/** The earliest match of each part leaves the most room for the next, so that no choice has to be tried again. */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}
