const box = /^\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s/gm;
const fence = /^\s*(```|~~~)[^\n]*\n[\s\S]*?^\s*\1\s*$/gm;

/** Markdown check boxes of a description: how many there are, and how many are ticked. */
export function countTasks(description: string | null): { count: number; completed_count: number } {
  let count = 0;
  let completed = 0;
  if (description?.includes("[") === true) {
    for (const [, mark] of `${description.replaceAll(fence, "")}\n`.matchAll(box)) {
      count += 1;
      if (mark !== " ") completed += 1;
    }
  }
  return { count, completed_count: completed };
}
