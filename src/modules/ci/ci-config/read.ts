/** The reader of a whole CI file. */

import { Budget } from "./budget.ts";
import { Extends } from "./extends.ts";
import { Extent } from "./extent.ts";
import { expandParallel, requireValidOrder } from "./job-order.ts";
import { type JobPlan, readJob } from "./jobs.ts";
import { doubledDefault, faultsOfFile, isJobName, olderDefaults } from "./keywords/file.ts";
import { Positions } from "./keywords/positions.ts";
import { References } from "./references.ts";
import { Patterns } from "./rules/patterns.ts";
import { type AutoCancel, autoCancelOf, type Changes, type Rule, rulesOf } from "./rules/rules.ts";
import {
  CiFileError,
  CiFileFaults,
  isMapping,
  type Mapping,
  rawVariablesOf,
  stringOf,
  textsOf,
  variablesOf,
} from "./values.ts";
import { parseYaml } from "./yaml/yaml.ts";

/** A CI file, read (triggers-and-pipelines 5, "syntax"). */
export interface CiFile {
  readonly stages: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those variables that are not expanded. */
  readonly rawVariables: ReadonlySet<string>;
  /** undefined: there are none, and every pipeline is made. */
  readonly workflowRules: readonly Rule[] | undefined;
  /** `workflow:name`. */
  readonly name: string | undefined;
  readonly autoCancel: AutoCancel | undefined;
  readonly jobs: readonly JobPlan[];
}

const jobsMax = 500;
/** All jobs together, with what they share. */
const jobsExtent = { nodes: 250_000, characters: 2_000_000 } as const;
/** Every job repeats the name of its stage. */
const stageLengthMax = 255;
const defaultStages = ["build", "test", "deploy"];
/** Faults whose places are looked up. */
const placesMax = 20;

/** The text of a file that includes no other → its jobs. Throws `CiFileError` with what `yaml_errors` shows. */
export function readCiFile(text: string, budget = new Budget()): CiFile {
  return readMapping(parseYaml(text, budget), budget, text);
}

/**
 * A file with what it includes worked in → its jobs. Throws as `readCiFile`.
 * @param text of the file, for the places of its faults
 */
export function readMapping(file: Mapping, budget: Budget, text = ""): CiFile {
  const names = Object.keys(file).filter((name) => isJobName(name, file[name]) && !name.startsWith("."));
  if (names.length > jobsMax) throw new CiFileError(tooMany);
  const resolved = resolve(file, names, budget);
  const defaults = defaultsOf(resolved);
  const extent = new Extent(jobsExtent, budget);
  for (const name of names) if (isMapping(resolved[name])) extent.add({ ...defaults, ...resolved[name] });
  requireNoFaults(resolved, budget, new Positions(text, file));
  const jobs = expandParallel(jobsOf(resolved, names, defaults, extent, budget), budget);
  const stages = stagesOf(resolved.stages);
  requireValidOrder(jobs, stages);
  const workflow = isMapping(resolved.workflow) ? resolved.workflow : {};
  return {
    stages,
    variables: variablesOf(resolved.variables),
    rawVariables: rawVariablesOf(resolved.variables),
    workflowRules: rulesOf(workflow.rules, budget),
    name: stringOf(workflow.name),
    autoCancel: autoCancelOf(workflow.auto_cancel),
    jobs,
  };
}

/** Works `extends` and `!reference` into the jobs of these names, and `!reference` into the keywords of the file. */
function resolve(file: Mapping, names: readonly string[], budget: Budget): Mapping {
  const shared = new Extends(file, budget);
  const isExtending = (value: unknown): value is Mapping => isMapping(value) && value.extends !== undefined;
  const ofName = (name: string) =>
    isExtending(file[name]) && isJobName(name, file[name]) ? shared.of(name) : file[name];
  for (const name of Object.keys(file)) ofName(name);
  const references = new References((name) => (Object.hasOwn(file, name) ? ofName(name) : undefined));
  const extent = new Extent(jobsExtent, budget);
  const jobs = new Set(names);
  const entries = Object.keys(file).map((name) => {
    // The rest of a hidden job is looked at in those that it is a part of.
    const isHidden = name.startsWith(".");
    const value = references.resolve(isHidden ? file[name] : ofName(name));
    if (!isHidden && !jobs.has(name)) extent.add(value);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Works `extends` and `!reference` into everything, hidden jobs too. */
export function resolveAll(file: Mapping, budget: Budget): Mapping {
  const shared = new Extends(file, budget);
  const ofName = (name: string) =>
    isMapping(file[name]) && isJobName(name, file[name]) ? shared.of(name) : file[name];
  const references = new References((name) => (Object.hasOwn(file, name) ? ofName(name) : undefined));
  return Object.fromEntries(Object.keys(file).map((name) => [name, references.resolve(ofName(name))]));
}

/** Throws `CiFileError` with all faults that the table of keywords finds, and their places. */
function requireNoFaults(file: Mapping, budget: Budget, positions: Positions): void {
  const doubled = doubledDefault(file);
  if (doubled !== undefined) throw new CiFileError(`${doubled} is defined in top-level and \`default:\` entry`);
  const faults = faultsOfFile(file, { budget, patterns: new Patterns(budget), expressions: new Map() }).map(
    ({ text, path }, at) => {
      const position = at < placesMax ? positions.of(path) : undefined;
      return position === undefined ? text : `${text} (${position})`;
    },
  );
  const [first, ...more] = faults;
  if (first !== undefined) throw new CiFileFaults([first, ...more]);
}

/** Whether some rule of a file asks which files there are, or were changed. */
export function needsFileList({ workflowRules = [], jobs }: CiFile): boolean {
  const rules = [...workflowRules, ...jobs.flatMap((job) => job.rules ?? [])];
  const policies = jobs.flatMap(({ only, except }) => [only, except]);
  const isOfPush = (changes: Changes | undefined) => changes !== undefined && changes.compareTo === undefined;
  return (
    rules.some(({ changes, exists }) => isOfPush(changes) || (exists !== undefined && exists.project === undefined)) ||
    policies.some((policy) => isOfPush(policy?.changes))
  );
}

const tooMany = `jobs config should contain at most ${jobsMax} jobs`;

function jobsOf(file: Mapping, names: readonly string[], defaults: Mapping, extent: Extent, budget: Budget): JobPlan[] {
  let count = 0;
  return names.map((name) => {
    const job = file[name] as Mapping;
    const plan = readJob(name, job, defaults, budget);
    count += plan.copies?.length ?? 1;
    if (count > jobsMax) throw new CiFileError(tooMany);
    // Each copy is stored.
    for (const _ of plan.copies ?? []) extent.add({ ...defaults, ...job });
    return plan;
  });
}

/** The keywords of jobs that do not set them; the older place of these keywords is the file itself. */
function defaultsOf(file: Mapping): Mapping {
  const given = isMapping(file.default) && !isJobName("default", file.default) ? file.default : {};
  return { ...Object.fromEntries(olderDefaults.map((key) => [key, file[key]])), ...given };
}

function stagesOf(value: unknown): string[] {
  const given = value === undefined || value === null ? defaultStages : textsOf(value);
  if (given.some(({ length }) => length > stageLengthMax)) {
    throw new CiFileError(`stages config has a name that is too long (maximum is ${stageLengthMax})`);
  }
  // No stage stays no stage: not even the edges are added.
  if (given.length === 0) return [];
  return [...new Set([".pre", ...given.filter((stage) => stage !== ".post"), ".post"])];
}
