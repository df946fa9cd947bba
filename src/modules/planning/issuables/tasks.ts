/** The tasks in a description. */

import { spend } from "../../../domain/work-budget.ts";
import { linesOutsideFences } from "../../../lib/text/markdown.ts";

/** The steps of a character: a line may have one. */
const stepsPerCharacter = 3;
const box = /^(?:[-*+]|\d+[.)])\s+\[([ xX])\](?:\s|$)/;

/** An item of a task list. */
export interface Task {
  readonly text: string;
  readonly isCompleted: boolean;
}

/** Markdown check boxes of a description: how many there are, and how many are ticked. */
export function countTasks(description: string | null): { readonly count: number; readonly completed_count: number } {
  let count = 0;
  let completed = 0;
  for (const { isCompleted } of tasksOf(description)) {
    count += 1;
    if (isCompleted) completed += 1;
  }
  return { count, completed_count: completed };
}

/** The items of the task lists of a description, in order. */
export function* tasksOf(description: string | null): Generator<Task> {
  if (description === null || !/\[[ xX]\]/.test(description)) return;
  spend(description.length * stepsPerCharacter);
  for (const quoted of linesOutsideFences(description)) {
    const line = withoutQuoteMarks(quoted);
    const match = box.exec(line);
    if (match !== null) yield { text: line.slice(match[0].length).trim(), isCompleted: match[1] !== " " };
  }
}

/** Without the `>` of block quotes; as part of the pattern, each of a million would take memory of its own. */
function withoutQuoteMarks(line: string): string {
  return line.slice(/[^>\s]/.exec(line)?.index ?? line.length);
}
