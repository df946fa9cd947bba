/** The reader of a whole CI file. */

import { Budget } from "./budget.ts";
import { Extends } from "./extends.ts";
import { Extent } from "./extent.ts";
import { expandParallel, requireValidOrder } from "./job-order.ts";
import { type JobPlan, readJob, requireValidDefaults } from "./jobs.ts";
import { References } from "./references.ts";
import { type Rule, rulesOf } from "./rules/rules.ts";
import {
  CiFileError,
  isMapping,
  type Mapping,
  rawVariablesOf,
  requireKnownKeys,
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
  readonly jobs: readonly JobPlan[];
}

const jobsMax = 500;
/** All jobs together, with what they share. */
const jobsExtent = { nodes: 250_000, characters: 2_000_000 } as const;
/** Every job repeats the name of its stage. */
const stageLengthMax = 255;
const defaultStages = ["build", "test", "deploy"];
/** Keywords of the file itself; every other mapping is a job. */
const keywords = new Set([
  ...["stages", "default", "variables", "workflow", "include", "types"],
  ...["image", "services", "before_script", "after_script", "cache"],
]);
const workflowKeys = new Set(["rules", "name", "auto_cancel"]);

/** The text of a file that includes no other → its jobs. Throws `CiFileError` with what `yaml_errors` shows. */
export function readCiFile(text: string, budget = new Budget()): CiFile {
  return readMapping(parseYaml(text, budget), budget);
}

/** A file with what it includes worked in → its jobs. Throws as `readCiFile`. */
export function readMapping(file: Mapping, budget: Budget): CiFile {
  const shared = new Extends(file, budget);
  const isExtending = (value: unknown): value is Mapping => isMapping(value) && value.extends !== undefined;
  const references = new References((name) => {
    if (!Object.hasOwn(file, name)) return undefined;
    return isExtending(file[name]) && !keywords.has(name) ? shared.of(name) : file[name];
  });
  const extent = new Extent(jobsExtent, budget);
  const of = (key: string) => {
    const value = references.resolve(file[key]);
    extent.add(value);
    return value;
  };
  // The parts of hidden jobs may be wrong, too.
  for (const value of Object.values(file)) references.resolve(value);
  const defaults = defaultsOf(of);
  const stages = stagesOf(of("stages") ?? of("types"));
  const extended = (name: string) => references.resolve(shared.of(name)) as Mapping;
  const jobs = expandParallel(jobsOf(file, defaults, extended, budget), budget);
  if (jobs.length === 0) throw new CiFileError("jobs config should contain at least one visible job");
  requireValidOrder(jobs, stages);
  const variables = of("variables");
  return {
    stages,
    variables: variablesOf(variables, "root"),
    rawVariables: rawVariablesOf(variables),
    ...workflowOf(of("workflow"), budget),
    jobs,
  };
}

/** Whether some rule of a file asks which files there are, or were changed. */
export function needsFileList({ workflowRules = [], jobs }: CiFile): boolean {
  const rules = [...workflowRules, ...jobs.flatMap((job) => job.rules ?? [])];
  const policies = jobs.flatMap(({ only, except }) => [only, except]);
  return (
    rules.some(({ changes, exists }) => changes !== undefined || exists !== undefined) ||
    policies.some((policy) => policy?.changes !== undefined)
  );
}

const tooMany = `jobs config should contain at most ${jobsMax} jobs`;

function jobsOf(file: Mapping, defaults: Mapping, extended: (name: string) => Mapping, budget: Budget): JobPlan[] {
  const names = Object.keys(file).filter((name) => !keywords.has(name) && !name.startsWith("."));
  if (names.length > jobsMax) throw new CiFileError(tooMany);
  const extent = new Extent(jobsExtent, budget);
  let count = 0;
  return names.map((name) => {
    if (!isMapping(file[name])) throw new CiFileError(`jobs ${name} config should be a hash`);
    const job = extended(name);
    extent.add({ ...defaults, ...job });
    const plan = readJob(name, job, defaults, budget);
    count += plan.copies?.length ?? 1;
    if (count > jobsMax) throw new CiFileError(tooMany);
    // Each copy is stored.
    for (const _ of plan.copies ?? []) extent.add({ ...defaults, ...job });
    return plan;
  });
}

function workflowOf(value: unknown, budget: Budget): Pick<CiFile, "workflowRules" | "name"> {
  if (value !== undefined && value !== null && !isMapping(value))
    throw new CiFileError("workflow config should be a hash");
  const workflow = value ?? {};
  requireKnownKeys(workflow, workflowKeys, "workflow");
  return {
    workflowRules: rulesOf(workflow.rules, "workflow", budget),
    name: typeof workflow.name === "string" ? workflow.name : undefined,
  };
}

/** The keywords of jobs that do not set them; the older place of these keywords is the file itself. */
function defaultsOf(of: (key: string) => unknown): Mapping {
  const given = of("default");
  if (given !== undefined && given !== null && !isMapping(given)) {
    throw new CiFileError("default config should be a hash");
  }
  const defaults = given ?? {};
  requireValidDefaults(defaults);
  const older = ["image", "services", "before_script", "after_script", "cache"].map((key) => [key, of(key)]);
  return { ...Object.fromEntries(older), ...defaults };
}

function stagesOf(value: unknown): string[] {
  const given = value === undefined || value === null ? defaultStages : textsOf(value, "stages");
  if (given.some(({ length }) => length > stageLengthMax)) {
    throw new CiFileError(`stages config has a name that is too long (maximum is ${stageLengthMax})`);
  }
  return [...new Set([".pre", ...given.filter((stage) => stage !== ".post"), ".post"])];
}
