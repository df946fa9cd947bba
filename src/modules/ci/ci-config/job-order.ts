/** The jobs of a file in their stages, with their copies, needs and dependencies. */

import type { Budget } from "./budget.ts";
import { visitCycles } from "./cycles.ts";
import { Extent } from "./extent.ts";
import type { JobPlan } from "./jobs.ts";
import { type Need, needsOfCopies } from "./needs.ts";
import type { Copy } from "./parallel.ts";
import { CiFileError, isMapping, stringOf } from "./values.ts";

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
  const name = `${job.name}${copy.suffix}`;
  if (name.length > nameLengthMax) {
    throw new CiFileError(`jobs:${job.name} name is too long (maximum is ${nameLengthMax} characters)`);
  }
  return { ...job, name, variables: { ...job.variables, ...copy.variables }, copy };
}

/** Jobs by name, in their stages. */
class Order {
  readonly #jobs: ReadonlyMap<string, JobPlan>;
  readonly #stages: ReadonlyMap<string, number>;

  constructor(jobs: readonly JobPlan[], stages: readonly string[]) {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#stages = new Map(stages.map((stage, place) => [stage, place]));
  }

  get(name: string): JobPlan | undefined {
    return this.#jobs.get(name);
  }

  hasStage(stage: string): boolean {
    return this.#stages.has(stage);
  }

  /** Throws `CiFileError` unless a job of this name is in the stage of another one, or before it. */
  requireBefore({ name, stage }: JobPlan, wanted: string, word: "dependency" | "need", isOptional = false): void {
    const found = this.#jobs.get(wanted);
    if (found === undefined && isOptional) return;
    if (found === undefined) throw new CiFileError(`${name} job: undefined ${word}: ${wanted}`);
    if (word === "need" && wanted.length > nameLengthMax) {
      const limit = `(maximum is ${nameLengthMax} characters)`;
      throw new CiFileError(`${name} job: need \`${wanted}\` name is too long ${limit}`);
    }
    const place = this.#stages.get(found.stage);
    if (place === undefined || place > (this.#stages.get(stage) ?? 0)) {
      throw new CiFileError(`${name} job: ${word} ${wanted} is not defined in current or prior stages`);
    }
  }
}

const nameLengthMax = 255;

/** Throws `CiFileError` for stages, needs and dependencies that are not there, and for jobs that wait for themselves. */
export function requireValidOrder(jobs: readonly JobPlan[], stages: readonly string[]): void {
  const order = new Order(jobs, stages);
  for (const job of jobs) {
    const { name, stage, dependencies = [], needs = [], rules = [] } = job;
    if (!order.hasStage(stage)) {
      throw new CiFileError(
        `${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(", ")}`,
      );
    }
    for (const dependency of dependencies) order.requireBefore(job, dependency, "dependency");
    for (const given of [needs, ...rules.map((rule) => rule.needs ?? [])]) requireValidNeeds(job, given, order);
    for (const made of artifactJobsOf(job)) order.requireBefore(job, made, "dependency");
    requireStopJob(job, order);
  }
  requireNoCycle(jobs, ({ needs = [] }) => needs);
  requireNoCycle(jobs, ({ needs = [], rules = [] }) => [...needs, ...rules.flatMap((rule) => rule.needs ?? [])]);
}

function requireValidNeeds(job: JobPlan, needs: readonly Need[], order: Order): void {
  for (const { name, optional } of needs) order.requireBefore(job, name, "need", optional);
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of needs) (seen.has(name) ? twice : seen).add(name);
  if (twice.size > 0) {
    throw new CiFileError(`${job.name} has the following needs duplicated: ${[...twice].join(", ")}.`);
  }
}

/** The jobs that make the CI file of a child pipeline. */
function artifactJobsOf({ trigger }: JobPlan): string[] {
  return [trigger?.include ?? []].flat().flatMap((file) => {
    const job = isMapping(file) ? stringOf(file.job) : undefined;
    return job === undefined ? [] : [job];
  });
}

/** The job that ends an environment is of that environment. */
function requireStopJob({ name, environment, onStop }: JobPlan, order: Order): void {
  if (environment === undefined || onStop === undefined) return;
  const refuse = (reason: string) => {
    throw new CiFileError(`${name} job: on_stop job ${onStop} ${reason}`);
  };
  const stop = order.get(onStop);
  if (stop === undefined) refuse("is not defined");
  else if (stop.environment === undefined) refuse("does not have environment defined");
  else if (stop.environment.name !== environment.name) refuse("have different environment name");
  else if (stop.environment.action !== "stop") refuse("needs to have action stop defined");
}

/** Throws `CiFileError` for jobs that need each other, and names them in the order in which they were met. */
function requireNoCycle(jobs: readonly JobPlan[], needsOf: (job: JobPlan) => readonly Need[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const neededBy = (job: JobPlan) => {
    const needs = needsOf(job);
    if (needs.some(({ name }) => name === job.name)) throw new CiFileError(`${circular}: self-dependency: ${job.name}`);
    return needs.map(({ name }) => byName.get(name)).filter((needed) => needed !== undefined);
  };
  visitCycles(jobs, neededBy, (together) => {
    const names = together.map(({ name }) => JSON.stringify(name)).join(", ");
    throw new CiFileError(`${circular}: topological sort failed: [${names}]`);
  });
}

const circular = "The pipeline has circular dependencies";
