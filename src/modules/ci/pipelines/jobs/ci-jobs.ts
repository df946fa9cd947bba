import type { DateTime } from "../../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, unique } from "../../../../store/index.ts";
import type { EnvironmentPlan, RetryPlan, TriggerPlan, When } from "../../ci-config/index.ts";
import type { PipelineRecord, PipelineVariable } from "../collection.ts";
import type { JobStatus } from "../status.ts";

/** What a runner is told of a job, as the file has it. */
export interface JobConfig {
  readonly script: readonly string[];
  readonly before_script: readonly string[];
  readonly after_script: readonly string[];
  readonly image: unknown;
  readonly services: unknown;
  readonly artifacts: unknown;
  readonly cache: unknown;
  /** Codes with which the script may end though the job has failed then; left out for none. */
  readonly allowed_exit_codes?: readonly number[];
  /** Of the job and its rule. */
  readonly variables: Readonly<Record<string, string>>;
  /** Which variables of the file it has, too; left out for all. */
  readonly inherited_variables?: boolean | readonly string[];
  /** Names of the jobs whose artifacts are handed on; left out for all that it waits for. */
  readonly dependencies?: readonly string[];
  /** Which one it is of those that `parallel:` made. */
  readonly node?: { readonly index: number; readonly total: number };
  /** Left out for none. */
  readonly retry?: RetryPlan;
  /** Seconds that it may run; left out for those of the project. */
  readonly timeout_s?: number;
  readonly environment?: EnvironmentPlan;
}

/** A job of a pipeline (triggers-and-pipelines 4); not to be taken for those of the scheduler. */
export interface CiJobRecord {
  readonly id: number;
  readonly pipeline_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly stage: string;
  /** Place of the stage in its pipeline. */
  readonly stage_idx: number;
  readonly status: JobStatus;
  readonly when: Exclude<When, "never">;
  readonly start_in: string | null;
  readonly allow_failure: boolean;
  /** Names of jobs; null: all of the stages before. */
  readonly needs: readonly string[] | null;
  readonly tag_list: readonly string[];
  /** It makes another pipeline: no runner takes it. */
  readonly is_bridge: boolean;
  /** What a bridge makes; those of earlier versions made nothing. */
  readonly trigger?: TriggerPlan;
  readonly config: JobConfig;
  /** Of those of one group in a project, one runs at a time. */
  readonly resource_group?: string;
  /** A newer pipeline of the ref may cancel it. */
  readonly interruptible?: true;
  /** Somebody said that it is to run: it no longer waits for that. */
  readonly is_played?: true;
  /** What whoever played it gave it. */
  readonly played_variables?: readonly PipelineVariable[];
  readonly created_at: DateTime;
  readonly queued_at: DateTime | null;
  /** When a delayed job becomes pending. */
  readonly scheduled_at: DateTime | null;
  readonly started_at: DateTime | null;
  readonly finished_at: DateTime | null;
  readonly erased_at: DateTime | null;
  readonly failure_reason: string | null;
  /** Another one was made of it. */
  readonly is_retried?: true;
  /** No runner has it: it only seems to run, for a demo. */
  readonly is_demo?: true;
  /** Who took it on. */
  readonly runner_id?: number;
  readonly runner_manager_id?: number;
  /** Seconds that it may run. */
  readonly timeout_s?: number;
  /** The scheduler's job that ends it when its time is over. */
  readonly timeout_job_id?: number;
  /** Of the script, where the runner told it. */
  readonly exit_code?: number;
  /** SHA-256 of its token, in hexadecimal digits; from when a runner took it on. The token is good while it runs. */
  readonly token_digest?: string;
}

export const ciJobs = collection<CiJobRecord>()("ci-jobs", {
  pipeline_id: multi((job) => [job.pipeline_id]),
  project_id: multi((job) => [job.project_id]),
  status: bitmap((job) => [job.status]),
  flag: bitmap((job) => [
    ...(job.is_retried === true ? ["retried"] : []),
    ...(job.is_demo === true && job.status === "running" ? ["demo"] : []),
    job.is_bridge ? "bridge" : "build",
  ]),
  runner_id: multi(({ runner_id: id }) => (id === undefined ? [] : [id])),
  token_digest: unique((job) => job.token_digest),
  /** What waits for a runner, see `lineOf`. */
  line: multi((job) => (job.status === "pending" && !job.is_bridge ? [lineOf(job)] : [])),
  /** What has a resource alone, see `resourceKeyOf`, and what waits for it. */
  resource: multi((job) => (job.status === "pending" || job.status === "running" ? resourceKeyOf(job) : [])),
  resource_line: multi((job) => (job.status === "waiting_for_resource" ? resourceKeyOf(job) : [])),
  id: ordered((job) => job.id),
});

/** Jobs of one project with the same key run one after the other; most have none. */
export function resourceKeyOf({ project_id, resource_group }: CiJobRecord): string[] {
  return resource_group === undefined ? [] : [`${project_id} ${resource_group}`];
}

/** Of the variables of a pipeline's file, those that a job has, too. */
export function fileVariablesOf(
  { file_variables }: Pick<PipelineRecord, "file_variables">,
  { config: { inherited_variables: wanted = true } }: CiJobRecord,
): Readonly<Record<string, string>> {
  if (wanted === true) return file_variables;
  const names = new Set(wanted === false ? [] : wanted);
  return Object.fromEntries(Object.entries(file_variables).filter(([name]) => names.has(name)));
}

/** Jobs of one project with the same tags wait in one line: a runner takes all of them or none. */
export interface Line {
  readonly projectId: number;
  readonly tags: readonly string[];
}

function lineOf({ project_id, tag_list }: CiJobRecord): string {
  return JSON.stringify([project_id, ...new Set(tag_list)]);
}

export function readLine(key: string): Line {
  const [projectId, ...tags] = JSON.parse(key) as [number, ...string[]];
  return { projectId, tags };
}

/** Of a job that nothing has happened to. */
export const untouched = {
  queued_at: null,
  scheduled_at: null,
  started_at: null,
  finished_at: null,
  erased_at: null,
  failure_reason: null,
} as const;
