import {
  bitmap,
  collection,
  type Field,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  tree,
  unique,
} from "../../../store/index.ts";
import type { OutsideNeed, TriggerPlan } from "../ci-config/records.ts";
import { type PipelineRecord, PipelineVariable } from "./records.ts";
import { type JobStatus, statuses } from "./status.ts";

const triggerPlan: Field<TriggerPlan> = field.object({
  project: field.nullable(field.text),
  branch: field.nullable(field.text),
  include: field.anything,
  inputs: field.optional(field.mapOf(field.anything)),
  is_dependent: field.flag,
  forward: field.object({ yaml_variables: field.flag, pipeline_variables: field.flag }),
});

const outsideNeed: Field<OutsideNeed> = field.object({
  job: field.text,
  pipeline: field.nullable(field.text),
  project: field.nullable(field.text),
  ref: field.nullable(field.text),
  artifacts: field.flag,
});

/** The configuration of a job that its runner gets, as the file has it. */
export const JobConfig = field.object({
  script: field.listOf(field.text),
  before_script: field.listOf(field.text),
  after_script: field.listOf(field.text),
  image: field.anything,
  services: field.anything,
  artifacts: field.anything,
  cache: field.anything,
  hooks: field.optional(field.anything),
  id_tokens: field.optional(field.anything),
  secrets: field.optional(field.anything),
  release: field.optional(field.anything),
  /** Steps in the place of a script. */
  run: field.optional(field.anything),
  /** `/pattern/` of the coverage in the log. */
  coverage: field.optional(field.text),
  /** Codes with which the script may end though the job has failed then; left out for none. */
  allowed_exit_codes: field.optional(field.listOf(field.whole)),
  /** Variables of the job and its rule. */
  variables: field.mapOf(field.text),
  /** Names of those variables that are not expanded; left out for none. */
  raw_variables: field.optional(field.listOf(field.text)),
  /** The variables of the file that it inherits; left out for all. */
  inherited_variables: field.optional(field.either(field.flag, field.listOf(field.text))),
  /** Names of the jobs whose artifacts it gets; left out for all that it waits for. */
  dependencies: field.optional(field.listOf(field.text)),
  /** Jobs of other pipelines whose artifacts it gets; left out for none. */
  outside_needs: field.optional(field.listOf(outsideNeed)),
  /** Its number among the jobs that `parallel:` made. */
  node: field.optional(field.object({ index: field.whole, total: field.whole })),
  /** Left out for none. */
  retry: field.optional(
    field.object({ max: field.whole, when: field.listOf(field.text), exit_codes: field.listOf(field.whole) }),
  ),
  /** Seconds that it may run; left out for those of the project. */
  timeout_s: field.optional(field.whole),
  environment: field.optional(
    field.object({
      /** With its variables expanded. */
      name: field.text,
      url: field.nullable(field.text),
      action: field.text,
      tier: field.nullable(field.text),
    }),
  ),
});
export type JobConfig = RecordOf<typeof JobConfig>;

/** A job of a pipeline (triggers-and-pipelines 4); not to be taken for those of the scheduler. */
export const CiJobRecord = record({
  id: field.whole,
  pipeline_id: field.whole,
  project_id: field.whole,
  user_id: field.whole,
  name: field.text,
  stage: field.text,
  /** Place of the stage in its pipeline. */
  stage_idx: field.whole,
  status: field.oneOf(...statuses),
  when: field.oneOf("on_success", "on_failure", "always", "manual", "delayed"),
  start_in: field.nullable(field.text),
  allow_failure: field.flag,
  /** Names of jobs; null: all of the stages before. */
  needs: field.nullable(field.listOf(field.text)),
  tag_list: field.listOf(field.text),
  /** It makes another pipeline: no runner takes it. */
  is_bridge: field.flag,
  /** Another system says how it goes (commits 7): no runner takes it. */
  external: field.optional(
    field.object({ target_url: field.nullable(field.text), description: field.nullable(field.text) }),
  ),
  /** The pipeline that a bridge makes. */
  trigger: field.optional(triggerPlan),
  config: JobConfig,
  /** The ref of its pipeline was protected when that was made. */
  is_protected: field.optional(field.oneOf(true)),
  /** Jobs of one group in a project run one at a time. */
  resource_group: field.optional(field.text),
  /** A newer pipeline of the ref may cancel it. */
  interruptible: field.optional(field.oneOf(true)),
  /** A user played it: it no longer waits for that. */
  is_played: field.optional(field.oneOf(true)),
  /** Variables from the user who played it. */
  played_variables: field.optional(field.listOf(PipelineVariable)),
  created_at: field.moment,
  queued_at: field.nullable(field.moment),
  /** The time when a delayed job becomes pending. */
  scheduled_at: field.nullable(field.moment),
  started_at: field.nullable(field.moment),
  finished_at: field.nullable(field.moment),
  erased_at: field.nullable(field.moment),
  failure_reason: field.nullable(field.text),
  /** Another one was made of it. */
  is_retried: field.optional(field.oneOf(true)),
  /** No runner has it: it only seems to run, for a demo. */
  is_demo: field.optional(field.oneOf(true)),
  /** Its runner ends a canceled job itself, so that `after_script` runs. */
  cancels_gracefully: field.optional(field.oneOf(true)),
  /** The runner that took the job. */
  runner_id: field.optional(field.whole),
  runner_manager_id: field.optional(field.whole),
  /** Seconds that it may run. */
  timeout_s: field.optional(field.whole),
  /** The background job that ends it after its timeout. */
  timeout_job_id: field.optional(field.whole),
  /** The exit code of the script, if the runner reported it. */
  exit_code: field.optional(field.whole),
  /** Percent, as the log says; left out where it does not. */
  coverage: field.optional(field.number),
  /** SHA-256 of its token, in hexadecimal digits; from when a runner took it on. The token is good while it runs. */
  token_digest: field.optional(field.text),
});
export type CiJobRecord = RecordOf<typeof CiJobRecord>;

export const ciJobs = collection("ci-jobs", CiJobRecord, {
  indexes: {
    pipeline_id: multi((job) => [job.pipeline_id]),
    project_id: multi((job) => [job.project_id]),
    status: bitmap((job) => [job.status]),
    flag: bitmap((job) => [
      ...(job.is_retried === true ? ["retried"] : []),
      ...(job.is_demo === true && job.status === "running" ? ["demo"] : []),
      kindOf(job),
    ]),
    runner_id: multi(({ runner_id: id }) => (id === undefined ? [] : [id])),
    /** Jobs that are being run, by their runner and by its machine. */
    executing: multi((job) => (isProcessed(job) ? executorsOf(job) : [])),
    token_digest: unique((job) => job.token_digest),
    /**
     * Jobs that wait for a runner, below their project, whether their ref is protected, and their tags in order: a runner
     * takes all of a line or none.
     */
    line: tree((job) => (isWaiting(job) ? lineOf(job) : undefined)),
    waiting_user_id: multi((job) => (isWaiting(job) ? [job.user_id] : [])),
    /** Jobs that are not over and that no person or time holds up. */
    active_project_id: multi((job) => (active.has(job.status) ? [job.project_id] : [])),
    /** Jobs that have succeeded, by their names: other pipelines need their artifacts. */
    succeeded: multi((job) => (isDone(job) ? [nameKeyOf(job)] : [])),
    /** Jobs that hold a resource alone, see `resourceKeyOf`; `resource_line`: jobs that wait for it. */
    resource: multi((job) => (holdsResource(job) ? resourceKeyOf(job) : [])),
    resource_line: multi((job) => (job.status === "waiting_for_resource" ? resourceKeyOf(job) : [])),
    id: ordered((job) => job.id),
  },
  secrets: { token_digest: "omit", played_variables: { replace: [] } },
  references: { pipeline_id: "pipelines", project_id: "projects" },
});

function executorsOf({ runner_id, runner_manager_id }: CiJobRecord): string[] {
  return [
    ...(runner_id === undefined ? [] : [executorKey("runner", runner_id)]),
    ...(runner_manager_id === undefined ? [] : [executorKey("manager", runner_manager_id)]),
  ];
}

export function executorKey(kind: "runner" | "manager", id: number): string {
  return `${kind} ${id}`;
}

function lineOf({ project_id, is_protected, tag_list }: CiJobRecord) {
  return [project_id, is_protected === true, ...[...new Set(tag_list)].sort()];
}

export function nameKeyOf({ project_id, name }: Pick<CiJobRecord, "project_id" | "name">): string {
  return `${project_id} ${name}`;
}

function isDone(job: CiJobRecord): boolean {
  return job.status === "success" && kindOf(job) === "build" && job.is_retried !== true;
}

/** Runners take builds alone. */
export function kindOf({ is_bridge, external }: CiJobRecord): "bridge" | "external" | "build" {
  if (is_bridge) return "bridge";
  return external === undefined ? "build" : "external";
}

/** Whether a job has what its group needs alone. */
export function holdsResource({ status }: Pick<CiJobRecord, "status">): boolean {
  return status === "pending" || status === "running" || status === "canceling";
}

/** Whether a runner works on a job: it runs, or its runner ends it. */
export function isProcessed({ status }: Pick<CiJobRecord, "status">): boolean {
  return status === "running" || status === "canceling";
}

/** The status of a job that a user cancels. A runner that can, ends a running job itself, and runs its `after_script`. */
export function canceledStatusOf({ status, cancels_gracefully }: CiJobRecord): "canceling" | "canceled" {
  return isProcessed({ status }) && cancels_gracefully === true ? "canceling" : "canceled";
}

/** Jobs of one project with the same key run one after the other; most have none. */
export function resourceKeyOf({ project_id, resource_group }: CiJobRecord): string[] {
  return resource_group === undefined ? [] : [`${project_id} ${resource_group}`];
}

/** Returns the variables of the pipeline's file that the job inherits. */
export function fileVariablesOf(
  { file_variables }: Pick<PipelineRecord, "file_variables">,
  { config: { inherited_variables: wanted = true } }: CiJobRecord,
): Readonly<Record<string, string>> {
  if (wanted === true) return file_variables;
  const names = new Set(wanted === false ? [] : wanted);
  return Object.fromEntries(Object.entries(file_variables).filter(([name]) => names.has(name)));
}

/** Whether a job waits for a runner. */
export function isWaiting(job: CiJobRecord): boolean {
  return job.status === "pending" && kindOf(job) === "build";
}

const active = new Set<JobStatus>([
  ...(["created", "waiting_for_resource", "preparing", "pending", "running", "canceling"] as const),
]);

/** Times and failure reason of a new job. */
export const untouched = {
  queued_at: null,
  scheduled_at: null,
  started_at: null,
  finished_at: null,
  erased_at: null,
  failure_reason: null,
} as const;
