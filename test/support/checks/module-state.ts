/** Classes whose objects hold nothing that changes, besides sets and maps that are filled where they are made. */
const unchanging = ["RegExp", "Failure", "TextDecoder", "TextEncoder", "URL"];

const declared = /^(?:export )?const (\w+)(?:: [^=\n]+)? = /;
const made = /^new (\w+)(?:<.*>)?\((\)?)/;
const changing = "push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear";

/** Returns the names at the top level of a file that may hold state: what one server changes, every other one would see. */
export function stateIn(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const variable = /^(?:export )?let (\w+)/.exec(line)?.[1];
    if (variable !== undefined) found.push(variable);
    const [start, name] = declared.exec(line) ?? [];
    if (start !== undefined && name !== undefined && isState(text, name, line.slice(start.length))) found.push(name);
  }
  if (/\bnew WeakMap\b/.test(text)) found.push("WeakMap");
  return found;
}

function isState(text: string, name: string, value: string): boolean {
  // Each use of a regular expression sets where it begins.
  if (value.startsWith("/")) return false;
  const [, type, isEmpty] = made.exec(value) ?? [];
  const isFilled = (type === "Map" || type === "Set") && isEmpty === "";
  if (type !== undefined && !isFilled && !unchanging.includes(type)) return true;
  if (/^(\[\]|\{\})/.test(value)) return true;
  const member = `(?<![\\w.])${name}(?:\\??\\.\\w+|\\[[^\\]\\n]+\\])`;
  const isAssigned = new RegExp(`${member}+ (?:[-+*/|&?]{0,2}=)(?![=>]) |${member}+(?:\\+\\+|--)`).test(text);
  return isAssigned || new RegExp(`(?<![\\w.])${name}\\.(?:${changing})\\(`).test(text);
}
