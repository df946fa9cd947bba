/** The jobs of a file in their stages, with their copies, needs and dependencies. */

import type { Budget } from "./budget.ts";
import { Extent } from "./extent.ts";
import type { JobPlan } from "./jobs.ts";
import { type Need, needsOfCopies } from "./needs.ts";
import type { Copy } from "./parallel.ts";
import { CiFileError } from "./values.ts";

/** Names in the needs and dependencies of all jobs together: those of one that stands for two hundred are two hundred each time. */
const namesExtent = { nodes: 250_000, characters: 8_000_000 } as const;

/** Replaces each `parallel:` job by its copies, and its name in needs and dependencies by theirs. */
export function expandParallel(jobs: readonly JobPlan[], budget: Budget): JobPlan[] {
  const copies = new Map(jobs.map(({ name, copies: made }) => [name, made]));
  const all = jobs.flatMap((job) => job.copies?.map((copy) => copyOf(job, copy)) ?? [job]);
  // One may have been called as a copy of another is: as of two of one name, the last is meant.
  const made = [...new Map(all.map((job) => [job.name, job])).values()];
  if (made.length === jobs.length && jobs.every((job) => job.copies === undefined)) return made;
  const extent = new Extent(namesExtent, budget);
  const needs = (given: readonly Need[] | undefined) =>
    given?.flatMap((need) => {
      const several = copies.get(need.name);
      const wanted = several === undefined ? [need] : needsOfCopies(need, several, budget);
      extent.add(wanted.map(({ name }) => name));
      return wanted;
    });
  const names = (given: readonly string[] | undefined) =>
    given?.flatMap((name) => {
      const wanted = copies.get(name)?.map(({ suffix }) => `${name}${suffix}`) ?? [name];
      extent.add(wanted);
      return wanted;
    });
  return made.map((job) => ({
    ...job,
    needs: needs(job.needs),
    rules: job.rules?.map((rule) => ({ ...rule, needs: needs(rule.needs) })),
    dependencies: names(job.dependencies),
  }));
}

function copyOf(job: JobPlan, copy: Copy): JobPlan {
  return { ...job, name: `${job.name}${copy.suffix}`, variables: { ...job.variables, ...copy.variables }, copy };
}

/** Throws `CiFileError` for stages, needs and dependencies that are not there, and for jobs that wait for themselves. */
export function requireValidOrder(jobs: readonly JobPlan[], stages: readonly string[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const places = new Map(stages.map((stage, place) => [stage, place]));
  const placeOf = (job: JobPlan) => places.get(job.stage) ?? 0;
  for (const job of jobs) {
    const { name, stage } = job;
    if (!places.has(stage)) {
      throw new CiFileError(
        `${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(", ")}`,
      );
    }
    for (const { name: needed, optional } of needsIn(job)) {
      const found = byName.get(needed);
      if (found === undefined && optional) continue;
      if (found === undefined) throw new CiFileError(`${name} job: undefined need: ${needed}`);
      if (found.name === name || placeOf(found) > placeOf(job)) {
        throw new CiFileError(`${name} job: need ${needed} is not defined in current or prior stages`);
      }
    }
    requireDistinctNames(job);
    requireValidDependencies(job, byName, placeOf);
  }
  const checked = new Map<string, "open" | "done">();
  for (const { name } of jobs) requireNoCycle(name, byName, checked);
}

function needsIn({ needs = [], rules = [] }: JobPlan): Need[] {
  return [...needs, ...rules.flatMap((rule) => rule.needs ?? [])];
}

function requireDistinctNames({ name, needs = [] }: JobPlan): void {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const need of needs) (seen.has(need.name) ? twice : seen).add(need.name);
  if (twice.size > 0) {
    throw new CiFileError(`${name} has the following needs duplicated: ${[...twice].join(", ")}.`);
  }
}

function requireValidDependencies(
  job: JobPlan,
  byName: ReadonlyMap<string, JobPlan>,
  placeOf: (job: JobPlan) => number,
): void {
  const { name, dependencies = [], needs } = job;
  for (const dependency of dependencies) {
    const found = byName.get(dependency);
    if (found === undefined) throw new CiFileError(`${name} job: undefined dependency: ${dependency}`);
    if (placeOf(found) > placeOf(job)) {
      throw new CiFileError(`${name} job: dependency ${dependency} is not defined in current or prior stages`);
    }
  }
  if (needs === undefined) return;
  const needed = new Set(needs.map((need) => need.name));
  const missing = dependencies.filter((dependency) => !needed.has(dependency));
  if (missing.length > 0) {
    throw new CiFileError(`jobs:${name} dependencies the ${missing.join(", ")} should be part of needs`);
  }
}

/** Looks at each job once; one that is met again while it is open needs itself. */
function requireNoCycle(
  name: string,
  byName: ReadonlyMap<string, JobPlan>,
  checked: Map<string, "open" | "done">,
): void {
  if (checked.get(name) === "done") return;
  if (checked.get(name) === "open") throw new CiFileError("The pipeline has circular dependencies");
  checked.set(name, "open");
  const job = byName.get(name);
  for (const needed of job === undefined ? [] : needsIn(job)) requireNoCycle(needed.name, byName, checked);
  checked.set(name, "done");
}
