/** The quick actions in a text, line by line. */

import { invalid } from "../../../domain/failure.ts";
import { spend } from "../../../domain/work-budget.ts";

/** An action as it is written: `/label ~bug` is `label` with the argument `~bug`. */
export interface WrittenAction {
  readonly name: string;
  readonly argument: string;
}

/** A text without its quick actions, and these in their order. */
export interface ExtractedText {
  readonly text: string;
  readonly actions: readonly WrittenAction[];
}

const actionsMax = 100;
const command = /^\/([a-z_]+)(?: (.*))?$/i;
const shrug = "¯\\＿(ツ)＿/¯";
const tableflip = "(╯°□°)╯︵ ┻━┻";

interface Block {
  readonly opens: (line: string) => boolean;
  readonly closes: (line: string) => boolean;
}

/** The marks around the parts of a text in which actions are only quoted. */
const blocks: readonly Block[] = [
  { opens: (line) => line.startsWith("```"), closes: (line) => line === "```" },
  { opens: (line) => line.startsWith(">>>"), closes: (line) => line === ">>>" },
  { opens: (line) => /^<[^>]+>$/.test(line), closes: (line) => /^<\/[^>]+>$/.test(line) },
  { opens: (line) => line.endsWith("`") && line.split("`").length % 2 === 0, closes: (line) => line.endsWith("`") },
];

/**
 * Takes the actions of the given names out of a text, with the empty lines behind them. A text without one stays as it
 * is. Actions in code, quotes and HTML stay. Throws 400 for more than `actionsMax`.
 */
export function extractActions(text: string, names: ReadonlySet<string>): ExtractedText {
  if (!text.startsWith("/") && !text.includes("\n/")) return { text, actions: [] };
  spend(text.length);
  const actions: WrittenAction[] = [];
  const kept: string[] = [];
  let isChanged = false;
  const lines = text.replaceAll("\r", "").split("\n");
  const ends = blockEnds(lines);
  for (let at = 0; at < lines.length; at += 1) {
    const end = ends.get(at) ?? at;
    const line = lines[at] as string;
    const [, written = "", argument = ""] = end > at ? [] : (command.exec(line.trimEnd()) ?? []);
    const name = written.toLowerCase();
    if (end > at) {
      for (const quoted of lines.slice(at, end + 1)) kept.push(quoted);
      at = end;
    } else if (name === "shrug" || name === "tableflip") {
      isChanged = true;
      kept.push(`${argument} ${name === "shrug" ? shrug : tableflip}`.trimStart());
    } else if (names.has(name)) {
      if (actions.length === actionsMax)
        throw invalid(`400 Bad request - too many quick actions (maximum is ${actionsMax})`);
      isChanged = true;
      actions.push({ name, argument: argument.trim() });
      while (lines[at + 1]?.trim() === "") at += 1;
    } else kept.push(line);
  }
  return isChanged ? { text: kept.join("\n").trimEnd(), actions } : { text, actions };
}

/** The last lines of the blocks, by their first lines. A block that is not closed is none. */
function blockEnds(lines: readonly string[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const neverClosed = new Set<object>();
  for (let at = 0; at < lines.length; at += 1) {
    const block = blocks.find((each) => !neverClosed.has(each) && each.opens(lines[at] as string));
    if (block === undefined) continue;
    const end = closingLine(lines, at + 1, block);
    if (end === undefined) neverClosed.add(block);
    else {
      ends.set(at, end);
      at = end;
    }
  }
  return ends;
}

/** Looks behind the first line alone: a text may have a hundred thousand blocks. */
function closingLine(lines: readonly string[], from: number, block: Block): number | undefined {
  for (let at = from; at < lines.length; at += 1) if (block.closes(lines[at] as string)) return at;
  return undefined;
}
