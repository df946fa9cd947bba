import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { Failure, forbidden, invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { Access, isJobTokenAllowed } from "../../core/access/index.ts";
import { findProjectByPath } from "../../core/namespaces/index.ts";
import { findUser, WriteQuota } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  findJobByToken,
  findRunningJob,
  insertPipeline,
  type PipelineRequest,
  planPipeline,
  requirePipelineRight,
  requireShortPayload,
  requireShortValues,
} from "../pipelines/index.ts";
import type { PipelineRecord } from "../pipelines/records.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";
import { type TriggerRecord, triggers } from "./records.ts";
import { shortTokenOf } from "./service.ts";

/** `POST …/trigger/pipeline`, its parameters checked. */
export interface TriggerRun {
  readonly id: string;
  readonly ref: string;
  readonly token: string;
  /** The variables as sent: values are not checked yet. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Values for the inputs of the CI file. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Everything that was sent, such as the body of a webhook. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/** Parameters that are not passed on to jobs: they are credentials of the caller. */
const credentials = ["token", "private_token", "access_token", "job_token", "sudo"];

/** The user that a token authenticates, and the project in which it may create a pipeline. */
interface Credential {
  readonly user: CallerUser;
  readonly project: ProjectRecord;
  readonly by: { readonly trigger: TriggerRecord } | { readonly job: CiJobRecord };
}

/** Makes a pipeline for whom the token belongs to. Throws the refusals of triggers-and-pipelines 2 in their order. */
export async function runTrigger(
  context: Context,
  { sent }: Caller,
  run: TriggerRun,
  baseUrl: string,
): Promise<PipelineRecord> {
  // A pipeline's own webhook must not start pipelines without end.
  if (sent?.request.headers.get("x-gitlab-event") === "Pipeline Hook") throw forbidden();
  const given = Object.entries(run.variables).map(([key, value]) => {
    if (typeof value !== "string") throw invalid("variables needs to be a map of key-valued strings");
    return { variable_type: "env_var", key, value } as const;
  });
  const { user, project, by } = findCredential(context, run);
  context.get(WriteQuota).enter(user);
  const payload = payloadOf(run);
  requireShortValues(given);
  requireShortPayload(payload);
  const request: PipelineRequest = {
    project,
    user,
    ref: run.ref,
    source: "trigger" in by ? "trigger" : "pipeline",
    variables: given,
    inputs: run.inputs,
    addedVariables: [{ variable_type: "file", key: "TRIGGER_PAYLOAD", value: payload }],
    ...("job" in by ? { upstreamJobId: by.job.id } : { triggerShortToken: shortTokenOf(by.trigger) }),
    baseUrl,
  };
  const planned = await planPipeline(context, request);
  const pipeline = context.store.transact((tx) => {
    // After the wait for the repository, the trigger, its owner and the project may be deleted.
    const now = findCredential(context, run);
    requirePipelineRight(context, { ...request, project: now.project, user: now.user });
    if ("trigger" in now.by) {
      tx.update(triggers, { ...now.by.trigger, last_used: toDateTime(context.clock.now()) });
    }
    return insertPipeline(tx, context, planned);
  });
  if (pipeline.yaml_errors !== null) {
    throw new Failure("unprocessable", { message: { base: [pipeline.yaml_errors] } });
  }
  return pipeline;
}

/** True when the token of a trigger or of a running job can make pipelines somewhere now. */
export function isTriggerToken(context: Context, token: string): boolean {
  const { store } = context;
  const trigger = store.of(triggers).get(store.of(triggers).by.token.find(token) ?? 0);
  const userId = trigger === undefined ? findRunningJob(context, token)?.user_id : trigger.owner_id;
  if (userId === undefined || findUser(store, userId)?.state !== "active") return false;
  return trigger === undefined || !hasExpired(context, trigger);
}

function hasExpired({ clock }: Context, { expires_at }: TriggerRecord): boolean {
  return expires_at !== null && expires_at <= toDateTime(clock.now());
}

/** All parameters but credentials, as JSON; of a file its name. */
function payloadOf({ ref, id, variables, sent }: TriggerRun): string {
  const known = new Set([...credentials, "ref", "id", "variables"]);
  const others = Object.entries(sent).filter(([name]) => !known.has(name));
  const all = { ref, id, variables, ...Object.fromEntries(others) };
  return JSON.stringify(all, (_, value: unknown) => (value instanceof Uint8Array ? undefined : value));
}

/** Throws a bare 404 for what does not exist for the token, and 401 for an ended job. */
function findCredential(context: Context, { id, token }: TriggerRun): Credential {
  const { store } = context;
  const project = findProject(store, id);
  if (project === undefined) throw notFound();
  const trigger = store.of(triggers).get(store.of(triggers).by.token.find(token) ?? 0);
  if (trigger !== undefined) {
    if (hasExpired(context, trigger) || trigger.project_id !== project.id) throw notFound();
    return { user: readerOf(context, trigger.owner_id, project), project, by: { trigger } };
  }
  const job = findJobByToken(store, token);
  if (job === undefined) throw notFound();
  const user = readerOf(context, job.user_id, project);
  if (!isJobTokenAllowed(store, project, job.project_id, { asksFor: "builds", isReading: false })) throw notFound();
  if (findRunningJob(context, token) === undefined) {
    throw new Failure("unauthenticated", { message: "Job is not running" });
  }
  return { user, project, by: { job } };
}

function findProject(store: Store, id: string): ProjectRecord | undefined {
  return /^\d+$/.test(id) ? store.of(projects).get(Number(id)) : findProjectByPath(store, id);
}

function readerOf(context: Context, userId: number, project: ProjectRecord): CallerUser {
  const user = findUser(context.store, userId);
  if (user === undefined || user.state !== "active" || !context.get(Access).canSeeProject(user, project))
    throw notFound();
  return user;
}
