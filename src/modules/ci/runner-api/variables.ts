/** The variables that a runner gets with a job. */

import { apiVersion } from "../../../domain/release.ts";
import { slugOf, trimEndCharacters } from "../../../lib/text/trim.ts";
import { type ProjectRecord, projectPathOf, projectSettingOf } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CiJobRecord, fileVariablesOf, type PipelineRecord, predefinedVariables } from "../pipelines/index.ts";
import type { RunnerRecord } from "../runners/index.ts";

/** A variable as runners read it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  /** Whether the runner may show it. */
  readonly public: boolean;
  /** The runner hides its value in the log. */
  readonly masked: boolean;
  /** The value is the content of a file, and the variable its path. */
  readonly file: boolean;
  /** The runner does not look for variables in it. */
  readonly raw: boolean;
}

/** A job that is sent to a runner, with its pipeline and project. */
export interface OutgoingJob {
  readonly job: CiJobRecord;
  readonly token: string;
  readonly pipeline: PipelineRecord;
  readonly project: ProjectRecord;
  readonly runner: RunnerRecord;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
}

/** Every variable of a job once, the last word first asked: what was given, the job's own, the file's, the predefined. */
export function jobVariables(context: Context, outgoing: OutgoingJob): JobVariable[] {
  const { job, pipeline } = outgoing;
  const found = new Map<string, JobVariable>();
  const add = (key: string, value: string, more: Partial<JobVariable> = {}) => {
    found.set(key, { key, value, public: true, masked: false, file: false, raw: false, ...more });
  };
  for (const [key, value] of Object.entries(predefined(context, outgoing))) add(key, value);
  for (const [key, value] of Object.entries(secrets(context, outgoing))) add(key, value, { public: false });
  add("CI_JOB_TOKEN", outgoing.token, { public: false, masked: true });
  add("CI_REGISTRY_PASSWORD", outgoing.token, { public: false, masked: true });
  for (const [key, value] of Object.entries(environment(outgoing))) add(key, value);
  for (const [key, value] of Object.entries(fileVariablesOf(pipeline, job))) add(key, value);
  for (const [key, value] of Object.entries(job.config.variables)) add(key, value);
  for (const { key, value, variable_type } of [...pipeline.variables, ...(job.played_variables ?? [])]) {
    add(key, value, { public: false, file: variable_type === "file" });
  }
  return [...found.values()];
}

/** The address of the repository with the job's token in it. */
export function repositoryUrl({ store }: Context, { project, token, baseUrl }: OutgoingJob): string {
  const url = new URL(`${baseUrl}/${projectPathOf(store, project)}.git`);
  url.username = "gitlab-ci-token";
  url.password = token;
  return url.href;
}

/** `host:port` of a server, as image clients name it. */
export function registryHost({ baseUrl }: Pick<OutgoingJob, "baseUrl">): string {
  return new URL(baseUrl).host;
}

function secrets(context: Context, outgoing: OutgoingJob): Record<string, string> {
  return { CI_REPOSITORY_URL: repositoryUrl(context, outgoing), CI_REGISTRY_USER: "gitlab-ci-token" };
}

function predefined({ store }: Context, outgoing: OutgoingJob): Record<string, string> {
  const { job, pipeline, project, runner, baseUrl } = outgoing;
  const path = projectPathOf(store, project);
  const url = new URL(baseUrl);
  const { started_at } = job;
  return {
    ...predefinedVariables(store, project, findUser(store, job.user_id), pipeline, baseUrl),
    CI_SERVER_HOST: url.hostname,
    CI_SERVER_PORT: url.port || (url.protocol === "https:" ? "443" : "80"),
    CI_SERVER_PROTOCOL: url.protocol.slice(0, -1),
    CI_SERVER_NAME: "Outpost",
    CI_SERVER_VERSION: apiVersion,
    CI_CONFIG_PATH: projectSettingOf(project, "ci_config_path") || ".gitlab-ci.yml",
    CI_PROJECT_ROOT_NAMESPACE: path.split("/", 1)[0] as string,
    CI_REGISTRY: url.host,
    CI_REGISTRY_IMAGE: `${url.host}/${path.toLowerCase()}`,
    CI_COMMIT_REF_PROTECTED: "false",
    CI_COMMIT_TIMESTAMP: new Date(pipeline.commit.committer.timestamp * 1000).toISOString(),
    CI_PIPELINE_ID: String(pipeline.id),
    CI_PIPELINE_IID: String(pipeline.iid),
    CI_PIPELINE_URL: `${baseUrl}/${path}/-/pipelines/${pipeline.id}`,
    CI_PIPELINE_CREATED_AT: pipeline.created_at,
    ...(pipeline.name === null ? {} : { CI_PIPELINE_NAME: pipeline.name }),
    CI_JOB_ID: String(job.id),
    CI_JOB_URL: `${baseUrl}/${path}/-/jobs/${job.id}`,
    CI_JOB_NAME: job.name,
    CI_JOB_NAME_SLUG: slugOf(job.name),
    CI_JOB_STAGE: job.stage,
    CI_JOB_TIMEOUT: String(job.timeout_s ?? ""),
    ...(started_at === null ? {} : { CI_JOB_STARTED_AT: started_at }),
    ...(job.when === "manual" ? { CI_JOB_MANUAL: "true" } : {}),
    CI_NODE_TOTAL: String(job.config.node?.total ?? 1),
    ...(job.config.node === undefined ? {} : { CI_NODE_INDEX: String(job.config.node.index) }),
    CI_RUNNER_ID: String(runner.id),
    CI_RUNNER_DESCRIPTION: runner.description ?? "",
    CI_RUNNER_TAGS: JSON.stringify(runner.tag_list),
  };
}

/** The variables of the job's environment, with the texts of the file: runners expand variables in them. */
function environment({ job }: OutgoingJob): Record<string, string> {
  const { environment: to } = job.config;
  if (to === undefined) return {};
  return {
    CI_ENVIRONMENT_NAME: to.name,
    CI_ENVIRONMENT_SLUG: trimEndCharacters(slugOf(to.name).slice(0, environmentSlugMax), "-"),
    CI_ENVIRONMENT_ACTION: to.action,
    ...(to.url === null ? {} : { CI_ENVIRONMENT_URL: to.url }),
    ...(to.tier === null ? {} : { CI_ENVIRONMENT_TIER: to.tier }),
  };
}

const environmentSlugMax = 24;
