/** The reader of `needs:`. */

import type { Budget } from "./budget.ts";
import { type Copy, combinationsOf, suffixOf } from "./parallel.ts";
import { CiFileError, isMapping, requireKnownKeys } from "./values.ts";

type Combination = Readonly<Record<string, string>>;

/** A job that another one waits for. */
export interface Need {
  readonly name: string;
  /** The job gets its artifacts. */
  readonly artifacts: boolean;
  /** It may be missing from the pipeline. */
  readonly optional: boolean;
  /** The copies that are needed, of those that `parallel:` made; undefined: all. */
  readonly combinations: readonly Combination[] | undefined;
}

/** Combinations are written out to be compared. */
const stepsPerKey = 3;
const charactersPerStep = 100;
const needKeys = new Set(["job", "artifacts", "optional", "parallel"]);

/** `needs:` of a job or a rule; undefined when there is none. Throws `CiFileError`. */
export function needsOf(value: unknown, label: string, budget: Budget): Need[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map((item) => {
    if (typeof item === "string") return { name: item, artifacts: true, optional: false, combinations: undefined };
    if (!isMapping(item) || typeof item.job !== "string" || "pipeline" in item || "project" in item) {
      throw new CiFileError(`${label}:need has an unsupported type`);
    }
    requireKnownKeys(item, needKeys, `${label}:need`);
    const { parallel } = item;
    if (parallel !== undefined && !isMapping(parallel)) {
      throw new CiFileError(`${label}:need:parallel should be a hash`);
    }
    return {
      name: item.job,
      artifacts: item.artifacts !== false,
      optional: item.optional === true,
      combinations:
        parallel === undefined ? undefined : combinationsOf(parallel.matrix, `${label}:need:parallel:matrix`, budget),
    };
  });
}

/** A need of a job that `parallel:` made several of → needs of these. */
export function needsOfCopies(need: Need, copies: readonly Copy[], budget: Budget): Need[] {
  budget.charge(copies.length);
  // Missing copies are named, too, so that they are reported like any missing job.
  const suffixes =
    need.combinations === undefined
      ? copies.map(({ suffix }) => suffix)
      : suffixesOf(need.combinations, copies, budget);
  return suffixes.map((suffix) => ({ ...need, name: `${need.name}${suffix}`, combinations: undefined }));
}

/** Returns the suffixes of the copies that the combinations name, then those of combinations that no copy has. */
function suffixesOf(combinations: readonly Combination[], copies: readonly Copy[], budget: Budget): string[] {
  const wanted = new Map(combinations.map((each) => [keyOf(each, budget), each]));
  const found = copies.map((copy) => [keyOf(copy.variables, budget), copy] as const).filter(([key]) => wanted.has(key));
  for (const [key] of found) wanted.delete(key);
  return [...found.map(([, { suffix }]) => suffix), ...[...wanted.values()].map(suffixOf)];
}

/** The same for combinations of the same values, however they are ordered. */
function keyOf(combination: Combination, budget: Budget): string {
  const entries = Object.entries(combination);
  const characters = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  budget.charge(stepsPerKey * (1 + entries.length) + characters / charactersPerStep);
  return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
