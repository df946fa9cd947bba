/** The count of tasks in a description. */

import { spend } from "../../../domain/work-budget.ts";
import { linesOutsideFences } from "../../../lib/text/markdown.ts";

/** The steps of a character: a line may have one. */
const stepsPerCharacter = 3;
const box = /^(?:[-*+]|\d+[.)])\s+\[([ xX])\](?:\s|$)/;

/** Markdown check boxes of a description: how many there are, and how many are ticked. */
export function countTasks(description: string | null): { readonly count: number; readonly completed_count: number } {
  let count = 0;
  let completed = 0;
  if (description !== null && /\[[ xX]\]/.test(description)) {
    spend(description.length * stepsPerCharacter);
    for (const line of linesOutsideFences(description)) {
      const mark = box.exec(withoutQuoteMarks(line))?.[1];
      if (mark !== undefined) count += 1;
      if (mark !== undefined && mark !== " ") completed += 1;
    }
  }
  return { count, completed_count: completed };
}

/** Without the `>` of block quotes; as part of the pattern, each of a million would take memory of its own. */
function withoutQuoteMarks(line: string): string {
  return line.slice(/[^>\s]/.exec(line)?.index ?? line.length);
}
