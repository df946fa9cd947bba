import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound, unprocessable } from "../../../domain/failure.ts";
import { type Commit, HistoriesWith, noOid, type Repository } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { getProject, requireLevel, requireUnarchived } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { readRepository, resolveCommit } from "../../repositories/repositories/index.ts";
import {
  advancePipeline,
  ciJobEvents,
  insertPipeline,
  isPipelineFull,
  listCurrentJobs,
  requireRefUpdater,
  updateJobStatus,
} from "../pipelines/index.ts";
import type { PipelineRecord } from "../pipelines/records.ts";
import { type CiJobRecord, ciJobs, type JobConfig, untouched } from "../pipelines/records-jobs.ts";
import type { NewCommitStatus } from "./schema.ts";
import { pipelinesOf } from "./service-list.ts";

type Given = Omit<Static<typeof NewCommitStatus>, "id">;

/** The stage of statuses: behind all that a CI file may have. */
const [externalStage, externalStageIdx] = ["external", 1_000_000];
const lengthMax = 255;

const noConfig: JobConfig = {
  script: [],
  before_script: [],
  after_script: [],
  image: null,
  services: null,
  artifacts: null,
  cache: null,
  variables: {},
};

/** `POST /projects/:id/statuses/:sha`. Throws 400, 403, 404 and 422. */
export async function createCommitStatus(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  given: Given,
  baseUrl: string,
): Promise<CiJobRecord> {
  requireUnarchived({ project });
  const { commit, named } = await readRepository(context, caller, project, async (repository) => {
    const found = await resolveCommit(repository, given.sha);
    return { commit: found, named: await findRef(repository, found, given.ref) };
  });
  return context.store.transact((tx) => {
    // After the wait for the repository, the caller may have lost the right, and the project may be deleted.
    const now = getProject(context, caller, project.id);
    requireLevel(context, caller, { project: now }, accessLevels.developer);
    requireUnarchived({ project: now });
    const found = findPipeline(context.store, now, commit, given);
    if (found === undefined && given.pipeline_id !== undefined) {
      throw notFound("Pipeline for pipeline_id, sha and ref");
    }
    const ref = found ?? named;
    if (ref === undefined) throw notFound("References for commit");
    requireRefUpdater(context, caller, now, ref);
    const before = found === undefined ? undefined : findOwnStatus(context.store, caller, found, given);
    const isFull = found !== undefined && before === undefined && isPipelineFull(context.store, found.id);
    if (isFull && given.pipeline_id !== undefined) throw unprocessable("The number of jobs has exceeded the limit");
    requireValidStatus(given);
    const place = { project: now, commit, ref: ref.ref, tag: ref.tag };
    const pipeline =
      found === undefined || isFull ? insertExternalPipeline(tx, context, caller, place, baseUrl) : found;
    const job = before ?? insertStatus(tx, context, caller, pipeline, nameOf(given));
    const changed = setState(tx, context, withGiven(tx, context, caller, job, given), given.state);
    advancePipeline(tx, context, pipeline.id);
    return changed;
  });
}

/** A branch or tag; without a name, the first branch that has the commit in its history. */
async function findRef(
  repository: Repository,
  commit: Commit,
  name: string | undefined,
): Promise<{ readonly ref: string; readonly tag: boolean } | undefined> {
  if (name) {
    const isBranch = (await repository.branch(name)) !== undefined;
    return { ref: name, tag: !isBranch && (await repository.tag(name)) !== undefined };
  }
  const histories = new HistoriesWith(repository, commit);
  for (const [ref, oid] of await repository.branches()) {
    const head = await repository.commitOf(oid);
    if (head !== undefined && (await histories.includes(head))) return { ref, tag: false };
  }
  return undefined;
}

function nameOf({ name, context = "default" }: Given): string {
  return name ?? context;
}

/** The newest pipeline of the commit, that of a ref or an id where one is given. */
function findPipeline(
  store: Store,
  project: ProjectRecord,
  { oid }: Commit,
  { ref, pipeline_id }: Given,
): PipelineRecord | undefined {
  return pipelinesOf(store, project, oid).find(
    (pipeline) => (!ref || pipeline.ref === ref) && (pipeline_id === undefined || pipeline.id === pipeline_id),
  );
}

/** The caller's status that has not ended. Throws 400 for the name of a job. */
function findOwnStatus(
  store: Store,
  { user }: SignedInCaller,
  { id }: PipelineRecord,
  given: Given,
): CiJobRecord | undefined {
  const current = listCurrentJobs(store, id).find(({ name }) => name === nameOf(given));
  if (current === undefined) return undefined;
  if (current.external === undefined) throw invalid({ name: ["has already been taken"] });
  const isOpen = current.status === "pending" || current.status === "running";
  return isOpen && current.user_id === user.id ? current : undefined;
}

function requireValidStatus(given: Given): void {
  const { target_url, description } = given;
  const tooLong = `is too long (maximum is ${lengthMax} characters)`;
  const name = nameOf(given);
  const errors = {
    name: [...(name.trim() === "" ? ["can't be blank"] : []), ...(exceedsLength(name, lengthMax) ? [tooLong] : [])],
    target_url: [
      ...(target_url && exceedsLength(target_url, lengthMax) ? [tooLong] : []),
      ...(target_url && !isWebAddress(target_url) ? ["is blocked: Only allowed schemes are http, https"] : []),
    ],
    description: description && exceedsLength(description, lengthMax) ? [tooLong] : [],
  };
  const found = Object.entries(errors).filter(([, texts]) => texts.length > 0);
  if (found.length > 0) throw invalid(Object.fromEntries(found));
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function insertExternalPipeline(
  tx: Transaction,
  context: Context,
  { user }: SignedInCaller,
  { project, commit, ref, tag }: { project: ProjectRecord; commit: Commit; ref: string; tag: boolean },
  baseUrl: string,
): PipelineRecord {
  const request = { project, user, ref, source: "external", variables: [], baseUrl } as const;
  const outcome = { name: null, jobs: [], variables: {}, rawVariables: new Set<string>(), autoCancel: undefined };
  const planned = { request, found: { name: ref, tag, commit }, beforeSha: noOid, outcome };
  return insertPipeline(tx, context, planned, { status: "pending" });
}

/** A new status takes the place of older ones of its name. */
function insertStatus(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  { id: pipeline_id, project_id, ref_protected }: PipelineRecord,
  name: string,
): CiJobRecord {
  const { store, clock } = context;
  for (const older of listCurrentJobs(store, pipeline_id)) {
    if (older.name === name) tx.update(ciJobs, { ...older, is_retried: true });
  }
  return insertRecord(tx, context, caller, ciJobEvents, {
    id: tx.nextId("ci_jobs"),
    pipeline_id,
    project_id,
    user_id: caller.user.id,
    name,
    stage: externalStage,
    stage_idx: externalStageIdx,
    status: "created",
    when: "on_success",
    start_in: null,
    allow_failure: false,
    needs: null,
    tag_list: [],
    is_bridge: false,
    external: { target_url: null, description: null },
    config: noConfig,
    ...(ref_protected === true ? { is_protected: true as const } : {}),
    created_at: toDateTime(clock.now()),
    ...untouched,
  });
}

function withGiven(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  { target_url, description, coverage }: Given,
): CiJobRecord {
  const { external = { target_url: null, description: null } } = job;
  return updateRecord(tx, context, caller, ciJobEvents, {
    ...job,
    external: { target_url: target_url ?? external.target_url, description: description ?? external.description },
    ...(coverage === undefined ? {} : { coverage }),
  });
}

const events = {
  pending: "enqueue",
  running: "run",
  success: "success",
  failed: "drop",
  canceled: "cancel",
  skipped: "skip",
} as const;

/** Throws 400 for a state that does not follow from the one before. */
function setState(tx: Transaction, context: Context, job: CiJobRecord, state: Given["state"]): CiJobRecord {
  const { status } = job;
  const isRefused = status === "running" ? ["pending", "running", "skipped"].includes(state) : status === state;
  if (isRefused) {
    const event = events[state];
    const reason = `Status cannot transition via "${event}"`;
    throw invalid(`Cannot transition status via :${event} from :${status} (Reason(s): ${reason})`);
  }
  if (state === "running" && status === "created") {
    return updateJobStatus(tx, context, updateJobStatus(tx, context, job, "pending"), "running");
  }
  return updateJobStatus(tx, context, job, state, state === "failed" ? { failure_reason: "api_failure" } : {});
}
