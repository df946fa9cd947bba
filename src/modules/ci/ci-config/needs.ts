/** The reader of `needs:`. */

import type { Budget } from "./budget.ts";
import { type Copy, combinationsOf, suffixOf } from "./parallel.ts";
import type { OutsideNeed } from "./records.ts";
import { isMapping, stringOf } from "./values.ts";

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

/** `needs:` of a job or a rule, as far as they are in its pipeline; undefined when there is none. */
export function needsOf(value: unknown, budget: Budget): Need[] | undefined {
  if (value === undefined || value === null) return undefined;
  return itemsOf(value).flatMap((item) => {
    const { job, artifacts, optional, parallel } = isMapping(item) ? item : { job: item };
    if (typeof job !== "string" || isOutside(item)) return [];
    const combinations = isMapping(parallel) ? combinationsOf(parallel.matrix, budget) : undefined;
    return { name: job, artifacts: artifacts !== false, optional: optional === true, combinations };
  });
}

/** `needs:` of a job that are in other pipelines. */
export function outsideNeedsOf(value: unknown): OutsideNeed[] {
  return itemsOf(value).flatMap((item) => {
    if (!isMapping(item) || !isOutside(item)) return [];
    const job = stringOf(item.job);
    const [pipeline, project, ref] = [item.pipeline, item.project, item.ref].map((text) => stringOf(text) ?? null);
    return job === undefined || pipeline === undefined || project === undefined || ref === undefined
      ? []
      : { job, pipeline, project, ref, artifacts: item.artifacts !== false };
  });
}

function itemsOf(value: unknown): unknown[] {
  return [value ?? []].flat(10);
}

function isOutside(item: unknown): boolean {
  return isMapping(item) && ["pipeline", "project", "ref"].some((name) => name in item);
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
