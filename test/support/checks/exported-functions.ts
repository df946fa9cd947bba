/** An exported function, as its declaration says. */
export interface ExportedFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Empty where the declaration leaves it to the compiler. */
  readonly returns: string;
}

export interface Parameter {
  /** A name, or a pattern as it is written. */
  readonly pattern: string;
  /** Empty for a parameter whose type follows from its default. */
  readonly type: string;
}

const opening = "([{<";
const closing = ")]}>";
const declaration =
  /^export (?:async )?(?:function\*? (?<declared>\w+)|const (?<assigned>\w+)(?:: [^=\n]+)? = (?:async )?(?=(?:<[^\n]*>)?\())/gm;

/** The functions that a formatted source exports: declarations, and constants with an arrow function. */
export function exportedFunctions(source: string): ExportedFunction[] {
  const found: ExportedFunction[] = [];
  for (const match of source.matchAll(declaration)) {
    const start = afterTypeParameters(source, match.index + match[0].length);
    if (source[start] !== "(") continue;
    const end = endOfBrackets(source, start);
    const isArrow = match.groups?.assigned !== undefined;
    const returns = returnTypeAt(source, end, isArrow);
    if (returns === undefined) continue;
    const name = (match.groups?.declared ?? match.groups?.assigned) as string;
    found.push({ name, parameters: splitList(source.slice(start + 1, end - 1)).map(parameterOf), returns });
  }
  return found;
}

function afterTypeParameters(source: string, start: number): number {
  return source[start] === "<" ? endOfBrackets(source, start) : start;
}

/** The offset after the bracket that closes the one at `start`. The `>` of an arrow closes nothing. */
function endOfBrackets(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const sign = source[at] as string;
    if (opening.includes(sign)) depth += 1;
    if (closing.includes(sign) && !(sign === ">" && source[at - 1] === "=")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error("brackets that nothing closes");
}

/** undefined: no function begins here, but an expression in parentheses. */
function returnTypeAt(source: string, start: number, isArrow: boolean): string | undefined {
  let at = start;
  for (; at < source.length; at = opening.includes(source[at] as string) ? endOfBrackets(source, at) : at + 1) {
    if (source.startsWith(isArrow ? " =>" : " {", at) && /[\w)}\]>"]$/.test(source.slice(start - 1, at))) break;
    if (at === start && !/^(?:: | =>| \{)/.test(source.slice(at, at + 3))) return undefined;
  }
  return source.slice(start, at).replace(/^: /, "").replaceAll(/\s+/g, " ").trim();
}

/** The parts between the commas that are in no brackets. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < list.length; ) {
    if (opening.includes(list[at] as string)) at = endOfBrackets(list, at);
    else if (list[at] === ",") {
      parts.push(list.slice(from, at));
      at += 1;
      from = at;
    } else at += 1;
  }
  parts.push(list.slice(from));
  return parts.map((part) => part.replaceAll(/\s+/g, " ").trim()).filter((part) => part !== "");
}

function parameterOf(text: string): Parameter {
  const end = opening.includes(text[0] as string) ? endOfBrackets(text, 0) : text.search(/[:?=]|$/);
  const pattern = text.slice(0, end).trim();
  const [, type = ""] = /^\??: (.*?)(?: = .*)?$/.exec(text.slice(end)) ?? [];
  return { pattern, type };
}
