import type { Budget } from "./budget.ts";
import { Extent } from "./extent.ts";
import { CiFileError, isMapping, type Mapping, Reference, textsOf } from "./values.ts";

/** What one file may stand for, with all that it includes. */
export const fileExtent = { nodes: 50_000, signs: 8_000_000 } as const;

/** Signs that are parsed in one step. */
const signsPerStep = 16;

/** The text of one CI file → its mapping, with `Reference`s. Throws `CiFileError`. */
export function parseYaml(text: string, budget: Budget, extent = new Extent(fileExtent, budget)): Mapping {
  budget.charge(text.length / signsPerStep);
  const mark = /!reference\b/.test(text) ? markFor(text) : undefined;
  const file = parse(mark === undefined ? text : text.replace(/!reference([ \t]+)\[/g, `[${mark}$1, `));
  extent.add(file);
  const found = mark === undefined ? file : withReferences(file, mark);
  if (!isMapping(found)) throw new CiFileError("Invalid configuration format");
  return found;
}

function parse(text: string): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch (error) {
    throw new CiFileError(`Invalid configuration format: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
}

/** The parser drops tags. So a reference gets a first entry that the file has nowhere else. */
function markFor(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/\u{E000}+/gu)].map(([run]) => run.length));
  return "\u{E000}".repeat(longest + 1);
}

/** Aliases share what they name: each is looked at once. */
function withReferences(file: unknown, mark: string): unknown {
  const marked = new RegExp(`\\[${mark}([ \\t]+), `, "g");
  const seen = new Map<object, unknown>();
  const restore = (value: unknown): unknown => {
    if (typeof value === "string") return value.replace(marked, "!reference$1[");
    if (typeof value !== "object" || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const made = restored(value);
    seen.set(value, made);
    return made;
  };
  const restored = (value: object): unknown => {
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, restore(inner)]));
    }
    if (value[0] !== mark) return value.map(restore);
    return new Reference(textsOf(value.slice(1), "!reference"));
  };
  return restore(file);
}
