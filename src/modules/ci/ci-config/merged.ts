/** The text of a CI file with all that it includes, extends and refers to. */

import type { Budget } from "./budget.ts";
import { Extent } from "./extent.ts";
import { resolveAll } from "./read.ts";
import { CiFileError, type Mapping } from "./values.ts";

/** More is no file that a person reads. */
const mergedExtent = { nodes: 50_000, characters: 2_000_000 } as const;

/** null: something that it extends or refers to is not there, or it is too large. */
export function mergedText(file: Mapping, budget: Budget): string | null {
  try {
    const merged = resolveAll(file, budget);
    new Extent(mergedExtent, budget).add(merged);
    return `---\n${Bun.YAML.stringify(JSON.parse(JSON.stringify(merged)), null, 2)}\n`;
  } catch (error) {
    if (error instanceof CiFileError) return null;
    throw error;
  }
}
