import { admitPipeline, CiFileError, Patterns, readCiFile, type SelectedJob, selectJobs } from "./ci-file/index.ts";
import type { CiJobRecord } from "./ci-jobs.ts";
import type { PipelineRecord, PipelineVariable } from "./collection.ts";

/** A job as it will be stored. */
export type PlannedJob = Pick<
  CiJobRecord,
  | ("name" | "stage" | "stage_idx" | "when" | "start_in" | "allow_failure" | "needs" | "tag_list" | "config")
  | ("is_bridge" | "trigger")
>;

export interface PlannedJobs {
  readonly name: string | null;
  /** Of the file and of `workflow: rules`. */
  readonly variables: Readonly<Record<string, string>>;
  /** By stages. */
  readonly jobs: readonly PlannedJob[];
}

/** The text of a CI file → the jobs of a pipeline. `filtered`: the workflow does not want it. Throws `CiFileError`. */
export function planJobs(
  text: string,
  occasion: Pick<PipelineRecord, "ref" | "tag" | "source">,
  predefined: Readonly<Record<string, string>>,
  given: readonly PipelineVariable[],
): PlannedJobs | "filtered" {
  const file = readCiFile(text);
  const chosen = given.map(({ key, value }) => [key, value] as const);
  const withFile = (own: Readonly<Record<string, string>>) =>
    new Map([...Object.entries(predefined), ...Object.entries(own), ...chosen]);
  const patterns = new Patterns();
  const workflow = admitPipeline(file, { ...occasion, patterns, variables: withFile(file.variables) });
  if (!workflow.isLetIn) return "filtered";
  const variables = { ...file.variables, ...workflow.variables };
  const selected = selectJobs(file, { ...occasion, patterns, variables: withFile(variables) });
  refuseMissingNeeds(selected);
  const jobs = selected.map((job) => planned(job, file.stages.indexOf(job.plan.stage)));
  jobs.sort((one, other) => one.stage_idx - other.stage_idx);
  return { name: file.name ?? null, variables, jobs };
}

function refuseMissingNeeds(selected: readonly SelectedJob[]): void {
  const names = new Set(selected.map(({ plan }) => plan.name));
  for (const { plan } of selected) {
    const missing = plan.needs?.find((needed) => !names.has(needed));
    if (missing === undefined) continue;
    throw new CiFileError(`'${plan.name}' job needs '${missing}' job, but '${missing}' does not exist in the pipeline`);
  }
}

function planned({ plan, when, start_in, allow_failure, variables }: SelectedJob, stageIdx: number): PlannedJob {
  const { script, before_script, after_script, image, services, artifacts, cache } = plan;
  const exitCodes = plan.allowedExitCodes.length === 0 ? {} : { allowed_exit_codes: plan.allowedExitCodes };
  return {
    name: plan.name,
    stage: plan.stage,
    stage_idx: stageIdx,
    when,
    start_in: start_in ?? null,
    allow_failure,
    needs: plan.needs ?? null,
    tag_list: plan.tags,
    is_bridge: plan.trigger !== undefined,
    ...(plan.trigger === undefined ? {} : { trigger: plan.trigger }),
    config: { script, before_script, after_script, image, services, artifacts, cache, ...exitCodes, variables },
  };
}
