import type { Static } from "@sinclair/typebox";
import { WorkBudget, withBudget } from "../../../domain/work-budget.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { ResponseVariant } from "../../kernel/operation.ts";
import { type PipelineRecord, pipelines } from "../pipelines/records.ts";
import { getRunnerByToken, recordContact } from "../runners/index.ts";
import type { RunnerRecord } from "../runners/records.ts";
import { presentJobPayload } from "./present.ts";
import { RunnerQueue } from "./runner-queue.ts";
import type { RequestJob } from "./schema.ts";
import { assignJob } from "./service-assign.ts";

/** Seconds that a request for a job may be held. */
export const heldSecondsMax = 50;

/** A runner's request for a job. */
export interface JobRequest {
  readonly params: Static<typeof RequestJob>;
  readonly ipAddress: () => string | null;
  /** Aborted when the client is gone: a job must not be assigned to a runner that does not get the answer. */
  readonly gone: () => AbortSignal;
  readonly baseUrl: string;
}

/**
 * `POST /jobs/request`: a job, or nothing at once; but a runner that has the latest news is held until there are more.
 * Throws 403 for its token.
 */
export function requestJob(context: Context, request: JobRequest): ResponseVariant | Promise<ResponseVariant> {
  const runnerQueue = context.get(RunnerQueue);
  const isToWait = request.params.last_update === runnerQueue.lastUpdate;
  return answerNow(context, request) ?? (isToWait ? waitForJob(context, request) : nothingNow(context));
}

function nothingNow(context: Context): ResponseVariant {
  return { kind: "nothing", headers: { "X-GitLab-Last-Update": context.get(RunnerQueue).lastUpdate } };
}

async function waitForJob(context: Context, request: JobRequest): Promise<ResponseVariant> {
  const { clock } = context;
  const runnerQueue = context.get(RunnerQueue);
  const end = clock.now() + heldSecondsMax * 1000;
  const gone = request.gone();
  const owner = ownerOf(context, getRunnerByToken(context.store, request.params.token));
  while (runnerQueue.isOpenTo(owner) && !gone.aborted && clock.now() < end) {
    await runnerQueue.next(owner, end - clock.now(), gone);
    const answer = gone.aborted || runnerQueue.isClosed ? undefined : answerAgain(context, request);
    if (answer !== undefined) return answer;
  }
  return nothingNow(context);
}

/** The id of the top-level namespace that a runner belongs to; 0 for runners of the instance. */
function ownerOf({ store }: Context, { group_id, project_ids: [projectId = 0] }: RunnerRecord): number {
  const namespaceId = group_id ?? store.of(projects).get(projectId)?.namespace_id ?? 0;
  return selfAndAncestors(store, namespaceId).at(-1)?.id ?? 0;
}

/** A look after a notification, with a budget of its own: there may be many while the request is held. */
function answerAgain(context: Context, request: JobRequest): ResponseVariant | undefined {
  const { inVain } = context.get(RunnerQueue);
  const { id } = getRunnerByToken(context.store, request.params.token);
  if (inVain.has(id)) return undefined;
  const answer = withBudget(new WorkBudget(), () => answerNow(context, request));
  if (answer === undefined) inVain.add(id);
  return answer;
}

function answerNow(context: Context, { params, ipAddress, baseUrl }: JobRequest): ResponseVariant | undefined {
  const { store } = context;
  const runner = getRunnerByToken(store, params.token);
  const manager = recordContact(context, runner, params.system_id ?? "", params.info, ipAddress);
  const features = featuresOf(params.info);
  const taken = assignJob(context, { runner, managerId: manager.id, features, jobAgeSeconds: params.job_age ?? 0 });
  if (taken === undefined) return undefined;
  const project = store.of(projects).get(taken.job.project_id) as ProjectRecord;
  const pipeline = store.of(pipelines).get(taken.job.pipeline_id) as PipelineRecord;
  return { kind: "created", body: presentJobPayload({ ...taken, project, pipeline, runner, baseUrl }, { context }) };
}

/** The features that `info.features` names. */
function featuresOf({ features }: Readonly<Record<string, unknown>> = {}): Set<string> {
  const given = typeof features === "object" && features !== null ? Object.entries(features) : [];
  return new Set(given.flatMap(([name, isThere]) => (isThere === true || isThere === "true" ? [name] : [])));
}
