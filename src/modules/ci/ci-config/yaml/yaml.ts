/** The YAML parser of CI files, with limits. */

import type { Budget } from "../budget.ts";
import { Extent } from "../extent.ts";
import { CiFileError, isMapping, type Mapping } from "../values.ts";
import { requireShortCopies } from "./aliases.ts";
import { requireFewMarks } from "./marks.ts";
import { withoutMergeKeys } from "./merge-keys.ts";
import { markReferences, withReferences } from "./reference-tags.ts";

/** Limits of what one file, with all that it includes, may expand to. */
export const fileExtent = { nodes: 50_000, characters: 8_000_000 } as const;
/** Characters that begin or end a node, for each of them: a key has a colon, and a comma or a dash, and its value a bracket. */
const marksPerNode = 3;
/** Characters that are parsed in one step. */
const charactersPerStep = 16;

/** The text of one CI file → its mapping, with `Reference`s. Throws `CiFileError`. */
export function parseYaml(text: string, budget: Budget, extent = new Extent(fileExtent, budget)): Mapping {
  budget.charge(text.length / charactersPerStep);
  requireFewMarks(text, fileExtent.nodes * marksPerNode, budget);
  const marked = markReferences(text, budget);
  const source = marked?.text ?? text;
  requireShortCopies(source, fileExtent.characters, budget);
  const unmerged = withoutMergeKeys(source, budget);
  const parsed = parse(text, unmerged?.text ?? source);
  const file = unmerged === undefined ? parsed : unmerged.merge(parsed);
  extent.add(file);
  const found = marked === undefined ? file : withReferences(file, marked.mark);
  if (!isMapping(found)) throw new CiFileError("Invalid configuration format");
  return found;
}

/** Parses `text`. Errors describe the text as it was written. */
function parse(written: string, text = written): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    throw new CiFileError(`Invalid configuration format: ${explanationOf(written) ?? said}`, { cause: error });
  }
}

/** The longest file whose error is located: the library that can is a hundred times slower than the parser. */
const explainedLengthMax = 4 * 1024;

/** Returns the first error and its place; undefined: the text is too long, or the library takes it. */
function explanationOf(text: string): string | undefined {
  if (text.length > explainedLengthMax) return undefined;
  const { parseDocument } = require("yaml") as typeof import("yaml");
  const { errors } = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const error = errors.find(({ code }) => code !== "MULTIPLE_DOCS");
  if (error === undefined) return undefined;
  const [start] = error.pos;
  const before = text.slice(0, start).split("\n");
  return `${error.message} at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
