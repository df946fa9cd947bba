import type { Static } from "@sinclair/typebox";
import { projectPathOf, projectSettingsOf } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { presentArtifacts } from "../job-artifacts/index.ts";
import { listCurrentJobs } from "../pipelines/index.ts";
import { artifactsOf, cachesOf, imageOf, servicesOf, stepsOf } from "./parts.ts";
import type { JobPayload } from "./schema.ts";
import { failureReasons } from "./service-update.ts";
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
  const settings = projectSettingsOf(project);
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
      project_full_path: projectPathOf(context.store, project),
      time_in_queue_seconds: queuedMs / 1000,
      timestamps: { created_at, queued_at, started_at },
    },
    git_info: {
      repo_url: repositoryUrl(context, outgoing),
      ref: pipeline.ref,
      sha: pipeline.sha,
      before_sha: pipeline.before_sha,
      ref_type: pipeline.tag ? "tag" : "branch",
      refspecs: ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"],
      depth: 0,
      repo_object_format: "sha1",
      protected: false,
    },
    runner_info: { timeout: job.timeout_s ?? settings.build_timeout, runner_session_url: null },
    variables: jobVariables(context, outgoing),
    steps: stepsOf(job),
    image: imageOf(config.image),
    services: servicesOf(config.services),
    artifacts: artifactsOf(config.artifacts),
    cache: cachesOf(config.cache),
    credentials: [{ type: "registry", url: registryHost(outgoing), username: "gitlab-ci-token", password: token }],
    dependencies: dependenciesOf(context, outgoing),
    features: { trace_sections: true, token_mask_prefixes: tokenPrefixes, failure_reasons: [...failureReasons] },
  };
}

/** The jobs before this one that it may want something of. */
function dependenciesOf(context: Context, { job, token }: OutgoingJob) {
  const { store } = context;
  const given = job.config.dependencies ?? job.needs ?? undefined;
  const named = given && new Set(given);
  return listCurrentJobs(store, job.pipeline_id)
    .filter(({ name, stage_idx }) => (named === undefined ? stage_idx < job.stage_idx : named.has(name)))
    .filter(({ status, is_bridge }) => status === "success" && !is_bridge)
    .map(({ id, name }) => {
      const { artifacts_file } = presentArtifacts(id, { context });
      return { id, name, token, ...(artifacts_file === undefined ? {} : { artifacts_file }) };
    });
}
