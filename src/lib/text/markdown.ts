/**
 * Lines of a Markdown text that are in no fenced block of code, without their ends. A fence that is never closed goes on
 * to the end. Line by line, because a pattern over the whole of it can take hours for a text that is made for that.
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
