import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf, selfAndAncestors } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import { projectSettingsOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { presentArtifacts } from "../job-artifacts/index.ts";
import { failureReasons, listDependencies } from "../pipelines/index.ts";
import { type CiJobRecord, ciJobs } from "../pipelines/records-jobs.ts";
import { runners } from "../runners/records.ts";
import { depthOf, refspecsOf } from "./git-info.ts";
import { artifactsOf, cachesOf, hooksOf, imageOf, servicesOf, stepsOf } from "./parts.ts";
import type { JobPayload } from "./schema.ts";
import { secretsOf } from "./secrets.ts";
import { jobVariables, type OutgoingJob, registryHost, repositoryUrl } from "./variables.ts";

/** Texts that begin so are tokens: runners hide them. */
const tokenPrefixes = ["opx-", "glrt-", "glcbt-", "glptt-"];

/** The data that a runner needs to run a job (triggers-and-pipelines 5). */
export function presentJobPayload(
  outgoing: OutgoingJob,
  { context }: Pick<View, "context">,
): Static<typeof JobPayload> {
  const { job, token, pipeline, project } = outgoing;
  const { created_at, queued_at, started_at, config } = job;
  const { store } = context;
  const settings = projectSettingsOf(project);
  const variables = jobVariables(context, outgoing);
  const depth = depthOf(variables, settings.ci_default_git_depth);
  const secrets = secretsOf(config.secrets, new Map(variables.map(({ key, value }) => [key, value])));
  const queuedMs = Date.parse(started_at ?? created_at) - Date.parse(queued_at ?? created_at);
  return {
    id: job.id,
    token,
    allow_git_fetch: settings.build_git_strategy === "fetch",
    job_info: {
      id: job.id,
      name: job.name,
      stage: job.stage,
      project_id: project.id,
      project_name: project.name,
      project_full_path: projectPathOf(store, project),
      pipeline_id: pipeline.id,
      namespace_id: project.namespace_id,
      root_namespace_id: selfAndAncestors(store, project.namespace_id).at(-1)?.id ?? project.namespace_id,
      user_id: job.user_id,
      time_in_queue_seconds: Math.floor(queuedMs / 1000),
      project_jobs_running_on_instance_runners_count: runningOnInstanceRunners(context, outgoing),
      timestamps: { created_at, queued_at, started_at },
    },
    git_info: {
      repo_url: repositoryUrl(context, outgoing),
      ref: pipeline.ref,
      sha: pipeline.sha,
      before_sha: pipeline.before_sha,
      ref_type: pipeline.tag ? "tag" : "branch",
      refspecs: refspecsOf(pipeline, depth),
      depth,
      repo_object_format: "sha1",
      protected: job.is_protected === true,
    },
    runner_info: { timeout: job.timeout_s ?? settings.build_timeout, runner_session_url: null },
    variables,
    ...(config.run === undefined ? { steps: stepsOf(job) } : { run: JSON.stringify(config.run) }),
    hooks: hooksOf(config.hooks),
    image: imageOf(config.image),
    services: servicesOf(config.services),
    artifacts: artifactsOf(config.artifacts),
    cache: cachesOf(config.cache, {
      isSeparated: settings.ci_separated_caches,
      isProtected: job.is_protected === true || isOfMaintainer(context, outgoing),
    }),
    credentials: [{ type: "registry", url: registryHost(outgoing), username: "gitlab-ci-token", password: token }],
    dependencies: dependenciesOf(context, outgoing),
    ...(secrets === undefined ? {} : { secrets }),
    features: { trace_sections: true, token_mask_prefixes: tokenPrefixes, failure_reasons: [...failureReasons] },
  };
}

/** The jobs before this one whose artifacts it may get. */
function dependenciesOf(context: Context, { job, token }: OutgoingJob) {
  return listDependencies(context, job)
    .filter(({ status }) => status === "success" || status === "failed" || status === "canceled")
    .map(({ id, name }) => {
      const { artifacts_file } = presentArtifacts(id, { context });
      return { id, name, token, ...(artifacts_file === undefined ? {} : { artifacts_file }) };
    });
}

function isOfMaintainer(context: Context, { job, project }: OutgoingJob): boolean {
  const user = findUser(context.store, job.user_id);
  return user !== undefined && context.get(Access).levelInProject(user, project) >= accessLevels.maintainer;
}

/** The highest number that is told of the jobs of a project on runners of the instance. */
const toldMax = 5;

/** The other jobs of the project that run on runners of the instance: such a runner may favour projects with few. */
function runningOnInstanceRunners({ store }: Context, { job, project, runner }: OutgoingJob): string {
  if (runner.runner_type !== "instance_type") return "+Inf";
  const where = [
    { index: "project_id", key: project.id },
    { index: "status", key: "running" },
  ] as const;
  const page = { kind: "keyset", after: undefined, perPage: toldMax } as const;
  const isOther = (other: CiJobRecord) =>
    other.id !== job.id && store.of(runners).get(other.runner_id ?? 0)?.runner_type === "instance_type";
  const { length } = store.page(ciJobs, { where, order: "id", descending: true, page, matches: isOther }).items;
  return length < toldMax ? String(length) : `${toldMax}+`;
}
