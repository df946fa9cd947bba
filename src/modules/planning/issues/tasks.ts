import { linesOutsideFences } from "../../../lib/text/markdown.ts";

const box = /^\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[([ xX])\](?:\s|$)/;

/** Markdown check boxes of a description: how many there are, and how many are ticked. */
export function countTasks(description: string | null): { count: number; completed_count: number } {
  let count = 0;
  let completed = 0;
  if (description?.includes("[") === true) {
    for (const line of linesOutsideFences(description)) {
      const mark = box.exec(line)?.[1];
      if (mark !== undefined) count += 1;
      if (mark !== undefined && mark !== " ") completed += 1;
    }
  }
  return { count, completed_count: completed };
}
