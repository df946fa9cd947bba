/** The jobs that a CI file makes for a pipeline. */

import {
  type AutoCancel,
  Budget,
  type CiFile,
  CiFileError,
  CircularVariables,
  ExpansionBudget,
  evaluateWorkflow,
  expandVariables,
  FileMatcher,
  Globs,
  type JobPlan,
  Patterns,
  type PipelineContext,
  type RepositoryFiles,
  readCiFile,
  type SelectedJob,
  selectJobs,
  type Variables,
  variablesFor,
} from "../../ci-config/index.ts";
import type { PipelineRecord, PipelineVariable } from "../records.ts";
import type { CiJobRecord, JobConfig } from "../records-jobs.ts";

/** A job as it will be stored. */
export type PlannedJob = Pick<
  CiJobRecord,
  | ("name" | "stage" | "stage_idx" | "when" | "start_in" | "allow_failure" | "needs" | "tag_list" | "config")
  | ("is_bridge" | "trigger" | "resource_group" | "interruptible")
>;

export interface PlannedJobs {
  readonly name: string | null;
  /** Variables of the file and of `workflow: rules`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those variables that are not expanded. */
  readonly rawVariables: ReadonlySet<string>;
  readonly autoCancel?: AutoCancel | undefined;
  /** Jobs in the order of their stages. */
  readonly jobs: readonly PlannedJob[];
}

type Wanted = Pick<PipelineRecord, "ref" | "tag" | "source">;

/** The predefined variables of a pipeline that is planned, and of one of its jobs. */
export interface PredefinedOfPlan {
  readonly ofPipeline: Variables;
  readonly ofJob: PipelineContext["predefinedOf"];
}

/** The text of a CI file that stands for itself → the jobs of a pipeline, as `planFile`. */
export function planJobs(
  text: string,
  wanted: Wanted,
  predefined: Readonly<Record<string, string>>,
  given: readonly PipelineVariable[],
): PlannedJobs | "filtered" {
  const budget = new Budget();
  const files = { all: undefined, changed: undefined };
  const known = new Map(Object.entries(predefined));
  return planFile(readCiFile(text, budget), wanted, { ofPipeline: known, ofJob: () => known }, given, files, budget);
}

/** A CI file → the jobs of a pipeline. `filtered`: the workflow does not want it. Throws `CiFileError`. */
export function planFile(
  file: CiFile,
  wanted: Wanted,
  predefined: PredefinedOfPlan,
  given: readonly PipelineVariable[],
  files: RepositoryFiles,
  budget: Budget,
): PlannedJobs | "filtered" {
  const occasion: PipelineContext = {
    ...wanted,
    predefined: predefined.ofPipeline,
    predefinedOf: predefined.ofJob,
    given: new Map(given.map(({ key, value }) => [key, value])),
    files: new FileMatcher(files, new Globs(budget)),
    patterns: new Patterns(budget),
    room: new ExpansionBudget(budget),
  };
  const { isIncluded, ...declared } = evaluateWorkflow(file, occasion);
  if (!isIncluded) return "filtered";
  const selected = selectJobs(file, declared, occasion);
  requireValidJobs(selected, new CircularVariables(given, budget));
  const names = new Set(selected.map(({ plan }) => plan.name));
  const stages = new Map(file.stages.map((stage, place) => [stage, place]));
  const jobs = selected.map((job) => planned(job, stages.get(job.plan.stage) ?? 0, names, occasion.room));
  jobs.sort((one, other) => one.stage_idx - other.stage_idx);
  return { name: nameOf(file, variablesFor(occasion, declared), occasion.room), ...declared, jobs };
}

const nameLengthMax = 255;
/** No runner has a longer one. */
const tagLengthMax = 255;

/** `workflow: name`, in which variables stand for what they are here. */
function nameOf({ name }: CiFile, known: Variables, room: ExpansionBudget): string | null {
  if (name === undefined) return null;
  const text = expandVariables(name, known, room).trim();
  return text === "" ? null : text.slice(0, nameLengthMax).toWellFormed();
}

const needsMax = 50;

/** Throws `CiFileError` for the first job that needs too much or what is not there, or whose variables lead to themselves. */
function requireValidJobs(selected: readonly SelectedJob[], circular: CircularVariables): void {
  const names = new Set(selected.map(({ plan }) => plan.name));
  for (const job of selected) {
    requireNeededJobs(job, names);
    const fault = circular.faultOf(job.inherited, job);
    if (fault !== undefined) throw new CiFileError(`${job.plan.name}: ${fault}`);
  }
}

function requireNeededJobs({ plan, needs = [] }: SelectedJob, names: ReadonlySet<string>): void {
  if (needs.length > needsMax) {
    const listed = `one job can only need ${needsMax} others, but you have listed ${needs.length}`;
    throw new CiFileError(`${plan.name}: ${listed}. See needs keyword documentation for more details`);
  }
  const missing = needs.find(({ name, optional }) => !optional && !names.has(name))?.name;
  if (missing === undefined) return;
  throw new CiFileError(
    `'${plan.name}' job needs '${missing}' job, but '${missing}' does not exist in the pipeline. ` +
      "This might be because of the only, except, or rules keywords. " +
      "To need a job that sometimes does not exist in the pipeline, use needs:optional.",
  );
}

function planned(job: SelectedJob, stageIdx: number, names: ReadonlySet<string>, room: ExpansionBudget): PlannedJob {
  const { plan, when, start_in, allow_failure, interruptible, known } = job;
  const needs = job.needs?.filter(({ name }) => names.has(name));
  return {
    name: plan.name,
    stage: plan.stage,
    stage_idx: stageIdx,
    when,
    start_in: start_in ?? null,
    allow_failure,
    needs: needs?.map(({ name }) => name) ?? null,
    tag_list: tagsOf(job, room),
    is_bridge: plan.trigger !== undefined,
    ...(plan.trigger === undefined ? {} : { trigger: plan.trigger }),
    ...(plan.resourceGroup === undefined ? {} : { resource_group: expandVariables(plan.resourceGroup, known, room) }),
    ...(interruptible ? { interruptible: true } : {}),
    config: configOf(
      job,
      needs?.filter(({ artifacts }) => artifacts).map(({ name }) => name),
    ),
  };
}

function tagsOf({ plan, known }: SelectedJob, room: ExpansionBudget): string[] {
  const tags = plan.tags.map((tag) => expandVariables(tag, known, room));
  if (tags.every(({ length }) => length <= tagLengthMax)) return tags;
  throw new CiFileError(`${plan.name} job: a tag is too long (maximum is ${tagLengthMax})`);
}

/** Each token is signed when a runner takes the job. */
const idTokensMax = 20;

function requireFewTokens({ name, idTokens }: JobPlan): void {
  const count = Object.keys(idTokens ?? {}).length;
  if (count > idTokensMax) throw new CiFileError(`jobs:${name}:id_tokens config has more than ${idTokensMax} tokens`);
}

function configOf(job: SelectedJob, needed: readonly string[] | undefined): JobConfig {
  const { plan, variables, rawVariables, environmentName } = job;
  requireFewTokens(plan);
  const { script, before_script, after_script, image, services, artifacts, cache, copy, environment } = plan;
  const dependencies = plan.dependencies ?? needed;
  const outside = plan.outsideNeeds.filter(({ artifacts: isWanted }) => isWanted);
  return {
    ...{ script, before_script, after_script, image, services, artifacts, cache, variables },
    ...(plan.allowedExitCodes.length === 0 ? {} : { allowed_exit_codes: plan.allowedExitCodes }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(outside.length === 0 ? {} : { outside_needs: outside }),
    ...inheritanceOf(plan),
    ...given({ hooks: plan.hooks, id_tokens: plan.idTokens, secrets: plan.secrets, release: plan.release }),
    ...given({ run: plan.run }),
    ...(plan.coverage === undefined ? {} : { coverage: plan.coverage }),
    ...(copy === undefined ? {} : { node: { index: copy.index, total: copy.total } }),
    ...(plan.retry === undefined || plan.retry.max === 0 ? {} : { retry: plan.retry }),
    ...(plan.timeout === undefined ? {} : { timeout_s: plan.timeout }),
    ...(rawVariables.size === 0 ? {} : { raw_variables: [...rawVariables] }),
    ...(environment === undefined
      ? {}
      : { environment: { ...environment, name: environmentName ?? environment.name } }),
  };
}

/** The values without those that the file does not have. */
function given<T extends Readonly<Record<string, unknown>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<T>;
}

function inheritanceOf({ inheritedVariables }: JobPlan): Pick<JobConfig, "inherited_variables"> {
  return inheritedVariables === true ? {} : { inherited_variables: inheritedVariables };
}
