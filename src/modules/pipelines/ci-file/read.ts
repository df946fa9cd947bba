import { extended } from "./extends.ts";
import { type JobPlan, type Rule, readJob, rulesOf } from "./jobs.ts";
import { CiFileError, isMapping, type Mapping, refuseTooLarge, textsOf, variablesOf } from "./values.ts";

/** A CI file, read (triggers-and-pipelines 5, "syntax"). */
export interface CiFile {
  readonly stages: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** undefined: there are none, and every pipeline is made. */
  readonly workflowRules: readonly Rule[] | undefined;
  /** `workflow:name`. */
  readonly name: string | undefined;
  readonly jobs: readonly JobPlan[];
}

const jobsMax = 500;
const defaultStages = ["build", "test", "deploy"];
/** Keywords of the file itself; every other mapping is a job. */
const keywords = new Set([
  ...["stages", "default", "variables", "workflow", "include", "spec", "types"],
  ...["image", "services", "before_script", "after_script", "cache"],
]);

/** Throws `CiFileError` with what `yaml_errors` shows. */
export function readCiFile(text: string): CiFile {
  const file = parse(text);
  const defaults = defaultsOf(file);
  const stages = stagesOf(file.stages);
  const names = Object.keys(file).filter((name) => !keywords.has(name) && !name.startsWith("."));
  if (names.length > jobsMax) throw new CiFileError(`jobs config should contain at most ${jobsMax} jobs`);
  const jobs = names.map((name) => {
    if (!isMapping(file[name])) throw new CiFileError(`jobs ${name} config should be a hash`);
    const job = extended(file, name);
    refuseTooLarge(job);
    return readJob(name, job, defaults);
  });
  if (jobs.length === 0) throw new CiFileError("jobs config should contain at least one visible job");
  for (const job of jobs) checkPlace(job, jobs, stages);
  const workflow = isMapping(file.workflow) ? file.workflow : {};
  return {
    stages,
    variables: variablesOf(file.variables, "root"),
    workflowRules: rulesOf(workflow.rules, "workflow"),
    name: typeof workflow.name === "string" ? workflow.name : undefined,
    jobs,
  };
}

function parse(text: string): Mapping {
  let file: unknown;
  try {
    file = Bun.YAML.parse(text);
  } catch (error) {
    throw new CiFileError(`Invalid configuration format: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  refuseTooLarge(file);
  if (!isMapping(file)) throw new CiFileError("Invalid configuration format");
  return file;
}

/** What jobs have unless they say otherwise; the older place of these keywords is the file itself. */
function defaultsOf(file: Mapping): Mapping {
  if (file.default !== undefined && file.default !== null && !isMapping(file.default)) {
    throw new CiFileError("default config should be a hash");
  }
  const { image, services, before_script, after_script, cache } = file;
  return { image, services, before_script, after_script, cache, ...(file.default as Mapping | undefined) };
}

function stagesOf(value: unknown): string[] {
  const given = value === undefined || value === null ? defaultStages : textsOf(value, "stages");
  return [...new Set([".pre", ...given.filter((stage) => stage !== ".post"), ".post"])];
}

function checkPlace({ name, stage, needs = [] }: JobPlan, jobs: readonly JobPlan[], stages: readonly string[]): void {
  const place = stages.indexOf(stage);
  if (place === -1) {
    throw new CiFileError(
      `${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(", ")}`,
    );
  }
  for (const needed of needs) {
    const found = jobs.find((job) => job.name === needed);
    if (found === undefined) throw new CiFileError(`${name} job: undefined need: ${needed}`);
    if (found.name === name || stages.indexOf(found.stage) > place) {
      throw new CiFileError(`${name} job: need ${needed} is not defined in current or prior stages`);
    }
  }
  refuseCycle(name, name, jobs, new Set());
}

function refuseCycle(start: string, name: string, jobs: readonly JobPlan[], seen: Set<string>): void {
  for (const needed of jobs.find((job) => job.name === name)?.needs ?? []) {
    if (needed === start) throw new CiFileError("The pipeline has circular dependencies");
    if (seen.has(needed)) continue;
    seen.add(needed);
    refuseCycle(start, needed, jobs, seen);
  }
}
