/** Revisions as gitrevisions(7) writes them: the name of a commit, and steps from there. */

/** Steps from child to parent that one revision may ask for. */
const stepsMax = 10_000;
const textMax = 1_000;

/** A step goes to the nth parent; 0 stays at the commit. */
export interface Revision {
  readonly name: string;
  readonly steps: readonly { readonly parent: number; readonly times: number }[];
}

/** undefined for what is no revision, and for too many steps. */
export function parseRevision(text: string): Revision | undefined {
  const [name] = /^[^~^]*/.exec(text) ?? [""];
  const steps: { parent: number; times: number }[] = [];
  let count = 0;
  let at = name.length;
  if (text.length > textMax && at < text.length) return undefined;
  const suffix = /(\^\{(?:commit)?\})|([~^])(\d{0,6})/y;
  while (at < text.length) {
    suffix.lastIndex = at;
    const found = suffix.exec(text);
    if (found === null) return undefined;
    at = suffix.lastIndex;
    const [, peeled, sign, digits] = found;
    if (peeled !== undefined) continue;
    const number = digits === "" ? 1 : Number(digits);
    steps.push(sign === "~" ? { parent: 1, times: number } : { parent: number, times: 1 });
    count += sign === "~" ? number : 1;
    if (count > stepsMax) return undefined;
  }
  return { name, steps };
}
