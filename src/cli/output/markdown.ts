const [bold, cyan, reset] = ["\x1b[1m", "\x1b[36m", "\x1b[0m"];

/**
 * Formats Markdown for reading: code is indented, and headings have no signs. With `isStyled`, text is also bold and
 * coloured.
 */
export function readableText(markdown: string, { isStyled }: { readonly isStyled: boolean }): string {
  let isCode = false;
  const lines = markdown.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [line === "" ? "" : `    ${isStyled ? `${cyan}${line}${reset}` : line}`];
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading === null) return [withoutSigns(line, isStyled)];
    const [, level = "", text = ""] = heading;
    const title = level.length === 1 ? text.toUpperCase() : text;
    return [isStyled ? `${bold}${title}${reset}` : title];
  });
  return lines.join("\n");
}

/** Removes the Markdown signs of a line. A text for a pipe keeps those of code, so that it differs from the sentence. */
function withoutSigns(line: string, isStyled: boolean): string {
  if (!isStyled) return line.replace(/\*\*(.+?)\*\*/g, "$1");
  return line.replace(/\*\*(.+?)\*\*/g, `${bold}$1${reset}`).replace(/`([^`]+)`/g, `${cyan}$1${reset}`);
}
