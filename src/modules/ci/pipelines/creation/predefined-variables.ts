/** The predefined variables, each with the phase in which it becomes known: rules, includes, names and runners read one list. */

import type { CallerUser } from "../../../../domain/caller.ts";
import { apiVersion, revision } from "../../../../domain/release.ts";
import { slugOf } from "../../../../lib/text/trim.ts";
import type { Store } from "../../../../store/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { Variables } from "../../ci-config/index.ts";
import { pipelineSchedules } from "../../pipeline-schedules/records.ts";
import { environmentSlugOf, tierOf } from "../jobs/environment-names.ts";
import { groupNameOf } from "../jobs/group-name.ts";
import type { PipelineRecord } from "../records.ts";
import type { CiJobRecord } from "../records-jobs.ts";

/**
 * `include`: before the file is read, the only ones that `include` may use. `pipeline`: while the pipeline is made, for
 * `workflow`, `rules`, names and tags. `stored`: once the pipeline has its number. `run`: once a runner has the job.
 */
const phases = ["include", "pipeline", "stored", "run"] as const;
export type Phase = (typeof phases)[number];

/** A pipeline as far as its variables need it; it may not be stored yet. */
export interface PipelineFacts
  extends Pick<PipelineRecord, "sha" | "ref" | "tag" | "source" | "before_sha" | "commit" | "created_at"> {
  readonly name?: string | null | undefined;
  readonly tag_message?: string | undefined;
  readonly trigger_short_token?: string | undefined;
  readonly ref_protected?: boolean | undefined;
  readonly schedule_id?: number | undefined;
  /** undefined: it is not stored yet. */
  readonly id?: number | undefined;
  /** Asking for it may reserve the number. */
  readonly iid: number;
}

/** A job as far as its variables need it. */
export interface JobFacts {
  readonly name: string;
  readonly stage: string;
  readonly when: string;
  readonly copy: { readonly index: number; readonly total: number } | undefined;
  /** The name is expanded; undefined for a job without an environment. */
  readonly environment: EnvironmentFacts | undefined;
}

/** The job as the list of predefined variables reads it. */
export function jobFactsOf({ name, stage, when, config }: CiJobRecord): JobFacts {
  return { name, stage, when, copy: config.node, environment: config.environment };
}

export interface EnvironmentFacts {
  readonly name: string;
  readonly url: string | null;
  readonly action: string;
  readonly tier: string | null;
}

/** The facts of a job that a runner has. */
export interface RunFacts {
  readonly id: number;
  readonly token: string;
  /** The address of the repository with the token in it. */
  readonly repositoryUrl: string;
  readonly startedAt: string | null;
  readonly timeout: number | undefined;
  readonly runner: { readonly id: number; readonly description: string | null; readonly tag_list: readonly string[] };
}

/** All that the list reads. */
export interface PredefinedSource {
  readonly store: Store;
  readonly project: ProjectRecord;
  readonly pipeline: PipelineFacts;
  readonly user: Pick<CallerUser, "id" | "username" | "name" | "email"> | undefined;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
  readonly job?: JobFacts | undefined;
  readonly run?: RunFacts | undefined;
}

/** A variable of the list. `hidden`: a runner does not show it; `masked`: nor its value in the log. */
interface Predefined {
  readonly phase: Phase;
  readonly value: (source: PredefinedSource) => string | undefined;
  readonly secrecy: "public" | "hidden" | "masked";
}

type Value = Predefined["value"];

const at =
  (phase: Phase) =>
  (value: Value, secrecy: Predefined["secrecy"] = "public"): Predefined => ({ phase, value, secrecy });
const include = at("include");
const pipeline = at("pipeline");
const stored = at("stored");
const run = at("run");

const path = ({ store, project }: PredefinedSource) => projectPathOf(store, project);
const projectUrl = (source: PredefinedSource) => `${source.baseUrl}/${path(source)}`;
const namespaceOf = (source: PredefinedSource) => path(source).slice(0, path(source).lastIndexOf("/"));
const versionPart = (index: number) => () => apiVersion.split(".")[index];
const hasRegistry = ({ project }: PredefinedSource) =>
  projectSettingOf(project, "container_registry_access_level") !== "disabled";
const ofUser = (read: (user: NonNullable<PredefinedSource["user"]>) => string) =>
  pipeline(({ user }) => (user === undefined ? undefined : read(user)));
const ofJob = (read: (job: JobFacts) => string | undefined) =>
  pipeline(({ job }) => (job === undefined ? undefined : read(job)));
const ofEnvironment = (read: (environment: EnvironmentFacts) => string | undefined) =>
  ofJob(({ environment }) => (environment === undefined ? undefined : read(environment)));
const ofRun = (
  read: (facts: RunFacts, source: PredefinedSource) => string | undefined,
  secrecy?: "hidden" | "masked",
) => run((source) => (source.run === undefined ? undefined : read(source.run, source)), secrecy);

const list: Readonly<Record<string, Predefined>> = {
  CI: include(() => "true"),
  GITLAB_CI: include(() => "true"),
  GITLAB_FEATURES: include(() => ""),
  CI_SERVER_URL: include(({ baseUrl }) => baseUrl),
  CI_SERVER_FQDN: include(({ baseUrl }) => new URL(baseUrl).host),
  CI_SERVER_HOST: include(({ baseUrl }) => new URL(baseUrl).hostname),
  CI_SERVER_PORT: include(({ baseUrl }) => portOf(new URL(baseUrl))),
  CI_SERVER_PROTOCOL: include(({ baseUrl }) => new URL(baseUrl).protocol.slice(0, -1)),
  CI_SERVER_SHELL_SSH_HOST: include(({ baseUrl }) => new URL(baseUrl).hostname),
  CI_SERVER_SHELL_SSH_PORT: include(() => "22"),
  CI_SERVER_NAME: include(() => "Outpost"),
  CI_SERVER_VERSION: include(() => apiVersion),
  CI_SERVER_VERSION_MAJOR: include(versionPart(0)),
  CI_SERVER_VERSION_MINOR: include(versionPart(1)),
  CI_SERVER_VERSION_PATCH: include(versionPart(2)),
  CI_SERVER_REVISION: include(() => revision),
  CI_API_V4_URL: include(({ baseUrl }) => `${baseUrl}/api/v4`),
  CI_TEMPLATE_REGISTRY_HOST: include(() => "registry.gitlab.com"),

  CI_PROJECT_ID: include(({ project }) => String(project.id)),
  CI_PROJECT_NAME: include(({ project }) => project.path),
  CI_PROJECT_TITLE: include(({ project }) => project.name),
  CI_PROJECT_DESCRIPTION: include(({ project }) => project.description ?? ""),
  CI_PROJECT_PATH: include(path),
  CI_PROJECT_PATH_SLUG: include((source) => slugOf(path(source))),
  CI_PROJECT_NAMESPACE: include(namespaceOf),
  CI_PROJECT_NAMESPACE_SLUG: include((source) => slugOf(namespaceOf(source))),
  CI_PROJECT_NAMESPACE_ID: include(({ project }) => String(project.namespace_id)),
  CI_PROJECT_ROOT_NAMESPACE: include((source) => path(source).split("/", 1)[0]),
  CI_PROJECT_URL: include(projectUrl),
  CI_PROJECT_VISIBILITY: include(({ project }) => project.visibility),
  CI_PROJECT_CLASSIFICATION_LABEL: include(({ project }) =>
    projectSettingOf(project, "external_authorization_classification_label"),
  ),
  CI_PROJECT_REPOSITORY_LANGUAGES: include(() => ""),
  CI_DEFAULT_BRANCH: include(({ project }) => project.default_branch ?? ""),
  CI_DEFAULT_BRANCH_SLUG: include(({ project }) => slugOf(project.default_branch ?? "")),
  CI_CONFIG_PATH: include(({ project }) => projectSettingOf(project, "ci_config_path") || ".gitlab-ci.yml"),
  CI_REGISTRY: include((source) => (hasRegistry(source) ? new URL(source.baseUrl).host : undefined)),
  CI_REGISTRY_IMAGE: include((source) =>
    hasRegistry(source) ? `${new URL(source.baseUrl).host}/${path(source).toLowerCase()}` : undefined,
  ),

  CI_PIPELINE_SOURCE: include((source) => source.pipeline.source),
  CI_PIPELINE_CREATED_AT: include((source) => inSeconds(source.pipeline.created_at)),
  CI_PIPELINE_NAME: include((source) => source.pipeline.name ?? undefined),
  CI_COMMIT_SHA: include((source) => source.pipeline.sha),
  CI_COMMIT_SHORT_SHA: include((source) => source.pipeline.sha.slice(0, 8)),
  CI_COMMIT_BEFORE_SHA: include((source) => source.pipeline.before_sha),
  CI_COMMIT_REF_NAME: include((source) => source.pipeline.ref),
  CI_COMMIT_REF_SLUG: include((source) => slugOf(source.pipeline.ref)),
  CI_COMMIT_REF_PROTECTED: include((source) => String(source.pipeline.ref_protected === true)),
  CI_COMMIT_BRANCH: include(({ pipeline: { tag, ref } }) => (tag ? undefined : ref)),
  CI_COMMIT_TAG: include(({ pipeline: { tag, ref } }) => (tag ? ref : undefined)),
  CI_COMMIT_TAG_MESSAGE: include(({ pipeline: { tag, tag_message } }) =>
    tag ? (tag_message ?? "").slice(0, messageMax).toWellFormed().trimEnd() : undefined,
  ),
  CI_COMMIT_MESSAGE: include((source) => messageOf(source)),
  CI_COMMIT_MESSAGE_IS_TRUNCATED: include(({ pipeline: { commit } }) => String(commit.message.length > messageMax)),
  CI_COMMIT_TITLE: include((source) => titleOf(source)),
  CI_COMMIT_DESCRIPTION: include(descriptionOf),
  CI_COMMIT_AUTHOR: include(({ pipeline: { commit } }) => `${commit.author.name} <${commit.author.email}>`),
  CI_COMMIT_TIMESTAMP: include(({ pipeline: { commit } }) =>
    inSeconds(new Date(commit.committer.timestamp * 1000).toISOString()),
  ),

  CI_PIPELINE_IID: pipeline((source) => String(source.pipeline.iid)),
  CI_PIPELINE_TRIGGERED: pipeline((source) => (source.pipeline.source === "trigger" ? "true" : undefined)),
  CI_PIPELINE_SCHEDULE_DESCRIPTION: pipeline(({ store, pipeline: { schedule_id: id } }) =>
    id === undefined ? undefined : store.of(pipelineSchedules).get(id)?.description,
  ),
  CI_TRIGGER_SHORT_TOKEN: pipeline((source) => source.pipeline.trigger_short_token),
  GITLAB_USER_ID: ofUser(({ id }) => String(id)),
  GITLAB_USER_EMAIL: ofUser(({ email }) => email),
  GITLAB_USER_LOGIN: ofUser(({ username }) => username),
  GITLAB_USER_NAME: ofUser(({ name }) => name),
  CI_JOB_NAME: ofJob(({ name }) => name),
  CI_JOB_NAME_SLUG: ofJob(({ name }) => slugOf(name)),
  CI_JOB_GROUP_NAME: ofJob(({ name }) => groupNameOf(name)),
  CI_JOB_STAGE: ofJob(({ stage }) => stage),
  CI_JOB_MANUAL: ofJob(({ when }) => (when === "manual" || when === "delayed" ? "true" : undefined)),
  CI_NODE_INDEX: ofJob(({ copy }) => (copy === undefined ? undefined : String(copy.index))),
  CI_NODE_TOTAL: pipeline(({ job }) => String(job?.copy?.total ?? 1)),
  CI_ENVIRONMENT_NAME: ofEnvironment(({ name }) => name),
  CI_ENVIRONMENT_SLUG: ofEnvironment(({ name }) => environmentSlugOf(name)),
  CI_ENVIRONMENT_ACTION: ofEnvironment(({ action }) => action),
  CI_ENVIRONMENT_TIER: ofEnvironment(({ name, tier }) => tier ?? tierOf(name)),
  CI_ENVIRONMENT_URL: ofEnvironment(({ url }) => url ?? undefined),

  CI_PIPELINE_ID: stored((source) => source.pipeline.id?.toString()),
  CI_PIPELINE_URL: stored((source) =>
    source.pipeline.id === undefined ? undefined : `${projectUrl(source)}/-/pipelines/${source.pipeline.id}`,
  ),

  CI_SERVER: ofRun(() => "yes"),
  CI_JOB_ID: ofRun(({ id }) => String(id)),
  CI_JOB_URL: ofRun(({ id }, source) => `${projectUrl(source)}/-/jobs/${id}`),
  CI_JOB_STARTED_AT: ofRun(({ startedAt }) => (startedAt === null ? undefined : inSeconds(startedAt))),
  CI_JOB_STARTED_AT_SLUG: ofRun(({ startedAt }) => (startedAt === null ? undefined : slugOf(inSeconds(startedAt)))),
  CI_JOB_TIMEOUT: ofRun(({ timeout }) => (timeout === undefined ? undefined : String(timeout))),
  CI_JOB_TOKEN: ofRun(({ token }) => token, "masked"),
  CI_REPOSITORY_URL: ofRun(({ repositoryUrl }) => repositoryUrl, "hidden"),
  CI_REGISTRY_USER: ofRun((_, source) => (hasRegistry(source) ? "gitlab-ci-token" : undefined)),
  CI_REGISTRY_PASSWORD: ofRun(({ token }, source) => (hasRegistry(source) ? token : undefined), "masked"),
  CI_RUNNER_ID: ofRun(({ runner }) => String(runner.id)),
  CI_RUNNER_DESCRIPTION: ofRun(({ runner }) => runner.description ?? ""),
  CI_RUNNER_TAGS: ofRun(({ runner }) => `[${runner.tag_list.map((tag) => JSON.stringify(tag)).join(", ")}]`),
};

/** The predefined variables of one source that are known in a phase. Each is made when it is asked for. */
export class PredefinedVariables implements Variables {
  readonly #source: PredefinedSource;
  readonly #last: number;

  constructor(source: PredefinedSource, phase: Phase) {
    this.#source = source;
    this.#last = phases.indexOf(phase);
  }

  get(name: string): string | undefined {
    const known = Object.hasOwn(list, name) ? list[name] : undefined;
    return known !== undefined && this.#isKnown(known) ? known.value(this.#source) : undefined;
  }

  /** All that have a value. */
  *entries(): Generator<{ readonly key: string; readonly value: string; readonly secrecy: Predefined["secrecy"] }> {
    for (const [key, known] of Object.entries(list)) {
      const value = this.#isKnown(known) ? known.value(this.#source) : undefined;
      if (value !== undefined) yield { key, value, secrecy: known.secrecy };
    }
  }

  #isKnown({ phase }: Predefined): boolean {
    return phases.indexOf(phase) <= this.#last;
  }
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** The time without fractions of a second. */
function inSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

/** Characters of a message that become a variable: the system's limit for an environment is near. */
const messageMax = 100_000;

/** As much of a message as variables have, and a character more where there is more. */
export function keptMessage(message: string): string {
  return message.slice(0, messageMax + 1).toWellFormed();
}

/** The title of a message whose first line is as long as this is cut off, so the description is the whole message. */
const longTitle = 100;

function messageOf({ pipeline: { commit } }: PredefinedSource): string {
  return commit.message.slice(0, messageMax).toWellFormed();
}

function titleOf(source: PredefinedSource): string {
  return messageOf(source).split(/[\r\n]/, 1)[0] as string;
}

function descriptionOf(source: PredefinedSource): string {
  const message = messageOf(source);
  if (titleOf(source).length >= longTitle) return message;
  const end = message.indexOf("\n");
  return end === -1 ? "" : message.slice(end + 1).replace(/\r?\n$/, "");
}
