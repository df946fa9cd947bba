/** The variables that a runner gets with a job. */

import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isAboveFile } from "../ci-config/index.ts";
import { listDotenvVariables } from "../job-artifacts/index.ts";
import { jobFactsOf, listDependencies, PredefinedVariables } from "../pipelines/index.ts";
import type { PipelineRecord } from "../pipelines/records.ts";
import { type CiJobRecord, fileVariablesOf } from "../pipelines/records-jobs.ts";
import type { RunnerRecord } from "../runners/records.ts";
import { listVariablesFor } from "../variables/index.ts";
import type { CiVariableRecord } from "../variables/records.ts";
import { expandJobVariables } from "./expanded-variables.ts";
import { idTokenVariables } from "./id-tokens.ts";

/** A variable as runners read it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  /** Whether the runner may show it. */
  readonly public: boolean;
  /** The runner hides its value in the log. */
  readonly masked: boolean;
  /** The value is the content of a file, and the variable its path; left out otherwise. */
  readonly file?: true;
  /** The runner does not look for variables in it; left out otherwise. */
  readonly raw?: true;
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

/**
 * Every variable of a job once. Those of its environment count most, then what was given, those of the project, its groups and the
 * instance, reports of the jobs that it depends on, those of its user, its own, the file's, and the other predefined ones.
 */
export function jobVariables(context: Context, outgoing: OutgoingJob): JobVariable[] {
  const { job, pipeline } = outgoing;
  const found = new Map<string, JobVariable>();
  const add = (key: string, value: string, more: Partial<JobVariable> = {}) => {
    found.set(key, { key, value, public: true, masked: false, ...more });
  };
  const known = [...predefined(context, outgoing).entries()];
  const addKnown = (isWanted: (key: string) => boolean) => {
    for (const { key, value, secrecy } of known) {
      if (isWanted(key)) add(key, value, { public: secrecy === "public", masked: secrecy === "masked" });
    }
  };
  addKnown(() => true);
  const addDeclared = (variables: Readonly<Record<string, string>>, raw: readonly string[] = []) => {
    const names = new Set(raw);
    for (const [key, value] of Object.entries(variables)) add(key, value, names.has(key) ? { raw: true } : {});
  };
  addDeclared(fileVariablesOf(pipeline, job), pipeline.raw_file_variables);
  addDeclared(job.config.variables, job.config.raw_variables);
  addKnown(isAboveFile);
  const dependencies = listDependencies(context, job).map(({ id }) => id);
  for (const { key, value } of listDotenvVariables(context.store, dependencies)) add(key, value, { public: false });
  for (const { key, value, variable_type, masked, raw } of storedVariables(context, outgoing)) {
    add(key, value, {
      public: false,
      masked,
      ...(variable_type === "file" ? { file: true } : {}),
      ...(raw ? { raw } : {}),
    });
  }
  for (const { key, value, variable_type, raw } of [...pipeline.variables, ...(job.played_variables ?? [])]) {
    add(key, value, { public: false, ...(variable_type === "file" ? { file: true } : {}), ...(raw ? { raw } : {}) });
  }
  addKnown((key) => key.startsWith("CI_ENVIRONMENT_"));
  const variables = expandJobVariables([...found.values()]);
  const tokens = idTokenVariables(context, outgoing, variables).filter(({ key }) => !found.has(key));
  return [...variables, ...tokens];
}

function storedVariables({ store }: Context, { project, pipeline, job }: OutgoingJob): CiVariableRecord[] {
  const isProtected = pipeline.ref_protected === true;
  return listVariablesFor(store, { project, isProtected, environment: job.config.environment?.name });
}

function predefined(context: Context, outgoing: OutgoingJob): PredefinedVariables {
  const { store } = context;
  const { job, token, pipeline, project, runner, baseUrl } = outgoing;
  const run = {
    ...{ id: job.id, token, repositoryUrl: repositoryUrl(context, outgoing) },
    ...{ startedAt: job.started_at, timeout: job.timeout_s, runner },
  };
  const source = { store, project, pipeline, user: findUser(store, job.user_id), baseUrl, job: jobFactsOf(job), run };
  return new PredefinedVariables(source, "run");
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
