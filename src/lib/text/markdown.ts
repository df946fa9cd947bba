/**
 * Yields the lines of a Markdown text outside of fenced code blocks, without their ends. An unclosed fence continues to the
 * end. One pattern for the whole text could take hours for a malicious one.
 */
export function* linesOutsideFences(text: string): Generator<string> {
  let fence: string | undefined;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    start = end + 1;
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (fence === undefined && mark === undefined) yield line;
    else if (fence === undefined) fence = mark;
    else if (mark === fence && line.trim() === mark) fence = undefined;
  }
}
