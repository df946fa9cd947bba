import { Extends } from "./extends.ts";
import { type JobPlan, type Rule, readJob, rulesOf } from "./jobs.ts";
import { CiFileError, Extent, isMapping, type Mapping, textsOf, variablesOf } from "./values.ts";

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
const fileExtent = { nodes: 50_000, signs: 8_000_000 } as const;
/** All jobs together, with what they share. */
const jobsExtent = { nodes: 250_000, signs: 8_000_000 } as const;
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
  const shared = new Extends(file);
  const extent = new Extent(jobsExtent);
  const jobs = names.map((name) => {
    if (!isMapping(file[name])) throw new CiFileError(`jobs ${name} config should be a hash`);
    const job = shared.of(name);
    extent.add({ ...defaults, ...job });
    return readJob(name, job, defaults);
  });
  if (jobs.length === 0) throw new CiFileError("jobs config should contain at least one visible job");
  checkPlaces(jobs, stages);
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
  new Extent(fileExtent).add(file);
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

function checkPlaces(jobs: readonly JobPlan[], stages: readonly string[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const places = new Map(stages.map((stage, place) => [stage, place]));
  for (const { name, stage, needs = [] } of jobs) {
    const place = places.get(stage);
    if (place === undefined) {
      throw new CiFileError(
        `${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(", ")}`,
      );
    }
    for (const needed of needs) {
      const found = byName.get(needed);
      if (found === undefined) throw new CiFileError(`${name} job: undefined need: ${needed}`);
      if (found.name === name || (places.get(found.stage) ?? 0) > place) {
        throw new CiFileError(`${name} job: need ${needed} is not defined in current or prior stages`);
      }
    }
  }
  const checked = new Map<string, "open" | "done">();
  for (const { name } of jobs) refuseCycle(name, byName, checked);
}

/** Looks at each job once; one that is met again while it is open needs itself. */
function refuseCycle(name: string, byName: ReadonlyMap<string, JobPlan>, checked: Map<string, "open" | "done">): void {
  if (checked.get(name) === "done") return;
  if (checked.get(name) === "open") throw new CiFileError("The pipeline has circular dependencies");
  checked.set(name, "open");
  for (const needed of byName.get(name)?.needs ?? []) refuseCycle(needed, byName, checked);
  checked.set(name, "done");
}
