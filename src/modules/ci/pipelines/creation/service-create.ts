import { accessLevels } from "../../../../domain/access-level.ts";
import { type CallerUser, theServer } from "../../../../domain/caller.ts";
import { noteWritten } from "../../../../domain/work-budget.ts";
import { noOid, type Repository } from "../../../../git/index.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { enqueueJob } from "../../../core/background-jobs/index.ts";
import { type ProjectRecord, projectSettingsOf } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { insertRecord } from "../../../kernel/record-events.ts";
import { placeOf } from "../../../repositories/repositories/index.ts";
import {
  Budget,
  faultOf,
  Includes,
  lookupsIn,
  needsFileList,
  readMapping,
  withAnswers,
} from "../../ci-config/index.ts";
import { listVariablesFor } from "../../variables/index.ts";
import { ciJobEvents, pipelineEvents } from "../events.ts";
import { canSetVariables, isProtectedRef } from "../policy.ts";
import { type PipelineRecord, type PipelineSource, type PipelineVariable, pipelines } from "../records.ts";
import { ciJobs, untouched } from "../records-jobs.ts";
import { cancelOlder } from "../service-cancel.ts";
import { pipelineStart } from "../service-progress.ts";
import { resolveCacheKeys } from "./cache-keys.ts";
import { ciFilePathOf, ciFilesOf, findCiFile } from "./ci-files.ts";
import { pipelineRefusal, requireVariableNames } from "./given-variables.ts";
import { type PlannedJobs, type PredefinedOfPlan, planFile } from "./plan.ts";
import { CiFileWork, planInTurn } from "./plan-queue.ts";
import {
  type JobFacts,
  type PipelineFacts,
  type PredefinedSource,
  PredefinedVariables,
} from "./predefined-variables.ts";
import { requireRefRight } from "./ref-protection.ts";
import { type FoundRef, findRef, keptOf } from "./refs.ts";
import { iidSequence, ReservedIid } from "./reserved-iid.ts";

/** A request for a pipeline. */
export interface PipelineRequest {
  readonly project: ProjectRecord;
  readonly user: CallerUser;
  readonly ref: string;
  readonly source: PipelineSource;
  readonly variables: readonly PipelineVariable[];
  /** Variables that the user did not choose: they need no right. */
  readonly addedVariables?: readonly PipelineVariable[];
  /** Values for the inputs of the CI file. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The path of the CI file, where it is not the project's. */
  readonly ciFilePath?: string;
  readonly upstreamJobId?: number;
  /** The schedule that makes it. */
  readonly scheduleId?: number;
  /** The beginning of the trigger token that makes it. */
  readonly triggerShortToken?: string;
  /** The text of the CI file, in place of the one in the repository. */
  readonly content?: string;
  /** Origin of URLs, without a trailing slash. */
  readonly baseUrl: string;
}

/** The plan for a request: jobs, or the error of an invalid file. */
export interface PlannedPipeline {
  readonly request: PipelineRequest;
  readonly found: FoundRef;
  readonly beforeSha: string;
  readonly outcome: (PlannedJobs | { readonly yamlError: string }) & {
    /** The number of the pipeline, if its file asked for it. */
    readonly iid?: number | undefined;
  };
}

/** The refusals of triggers-and-pipelines 2 that need no repository, in their order. */
export function requirePipelineRight(context: Context, { project, user, variables }: PipelineRequest): void {
  const settings = projectSettingsOf(project);
  if (settings.builds_access_level === "disabled") throw pipelineRefusal("Pipelines are disabled!");
  if (context.get(Access).levelInProject(user, project) < accessLevels.developer || project.archived) {
    throw pipelineRefusal("Insufficient permissions to create a new pipeline");
  }
  if (variables.length > 0 && !canSetVariables(context, user, project)) {
    throw pipelineRefusal("Insufficient permissions to set pipeline variables");
  }
}

/** Reads the ref and its CI file. Throws the 400s of triggers-and-pipelines 2; an invalid file is an outcome. */
export async function planPipeline(context: Context, request: PipelineRequest): Promise<PlannedPipeline> {
  requirePipelineRight(context, request);
  return planInTurn(context, request.user, () => planOf(context, request));
}

function planOf(context: Context, request: PipelineRequest): Promise<PlannedPipeline> {
  return context.repositories.read(placeOf(request.project), async (repository) => {
    const found = await findRef(repository, request.ref);
    if (found === "missing") throw pipelineRefusal("Reference not found");
    if (found === "ambiguous") throw pipelineRefusal("Ref is ambiguous");
    requireRefRight(context, request, found);
    const text = request.content ?? (await findCiFile(repository, request.project, found));
    if (text === undefined) throw pipelineRefusal("Missing CI config file");
    const outcome = await planOutcome(context, request, repository, found, noOid, text);
    if (outcome === "filtered") throw pipelineRefusal("Pipeline filtered out by workflow rules.");
    if (!hasJobs(outcome)) {
      throw pipelineRefusal(
        "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.",
      );
    }
    requireVariableNames([...request.variables, ...(request.addedVariables ?? [])]);
    return { request, found, beforeSha: noOid, outcome };
  });
}

/** Their jobs alone make no pipeline. */
const edgeStages = new Set([".pre", ".post"]);

/** Whether a pipeline is created; one with an invalid file fails. */
export function hasJobs(outcome: PlannedPipeline["outcome"] | "filtered"): outcome is PlannedPipeline["outcome"] {
  return outcome !== "filtered" && (!("jobs" in outcome) || outcome.jobs.some(({ stage }) => !edgeStages.has(stage)));
}

/** Plans the jobs that the text of a CI file has for a request; `more` are files beside those of the repository, by path. */
export async function planOutcome(
  context: Context,
  request: PipelineRequest,
  repository: Repository,
  found: FoundRef,
  before_sha: string,
  text: string,
  more: ReadonlyMap<string, string> = new Map(),
): Promise<PlannedPipeline["outcome"] | "filtered"> {
  const { name: ref, tag, commit } = found;
  const { project, source, variables, addedVariables = [] } = request;
  const isProtected = isProtectedRef(context, project, { ref, tag });
  const stored = listVariablesFor(context.store, { project, isProtected }).map(
    ({ key, value, variable_type, raw }): PipelineVariable => ({ key, value, variable_type, ...(raw ? { raw } : {}) }),
  );
  const given = [...stored, ...variables, ...addedVariables];
  const iid = new ReservedIid(context.store, project);
  const predefined = predefinedSourceOf(context, request, found, before_sha, iid);
  const ofCommit = ciFilesOf(context, request, repository, commit, tag ? noOid : before_sha);
  const files = { ...ofCommit, read: async (path: string) => more.get(path) ?? ofCommit.read(path) };
  try {
    const budget = new Budget();
    const work = context.get(CiFileWork);
    const chosen = new Map(given.map(({ key, value }) => [key, value]));
    const includes = new Includes(chosen, new PredefinedVariables(predefined, "include"), work, budget);
    const path = request.ciFilePath ?? ciFilePathOf(project);
    const mapping = await includes.read(text, files, path, request.inputs);
    const file = await work.run(() => readMapping(mapping, budget, text));
    const listed = needsFileList(file) ? await files.files() : { all: undefined, changed: undefined };
    const wanted = { ref, tag, source };
    const known = predefinedOfPlan(predefined);
    const planned = await withAnswers(lookupsIn(files), (answers) =>
      work.run(() => planFile(file, wanted, known, given, { ...listed, ...answers }, budget)),
    );
    if (planned === "filtered") return planned;
    if (!hasRoomFor(context.store, project, planned.jobs.length)) {
      return { yamlError: "Project exceeded the allowed number of jobs in active pipelines." };
    }
    const jobs = await resolveCacheKeys(planned.jobs, { repository, commit, files, budget });
    return { ...planned, jobs, iid: iid.reserved };
  } catch (error) {
    const yamlError = faultOf(error);
    if (yamlError === undefined) throw error;
    return { yamlError };
  }
}

export function predefinedSourceOf(
  context: Context,
  { project, user, source, baseUrl, triggerShortToken, scheduleId }: PipelineRequest,
  found: FoundRef,
  before_sha: string,
  iid: Pick<ReservedIid, "value">,
): PredefinedSource {
  const { store, clock } = context;
  const { name: ref, tag, tagMessage, commit } = found;
  const pipeline: PipelineFacts = {
    ...{ sha: commit.oid, ref, tag, source, before_sha, commit, created_at: toDateTime(clock.now()) },
    ...{ tag_message: tagMessage, trigger_short_token: triggerShortToken, schedule_id: scheduleId },
    ref_protected: isProtectedRef(context, project, { ref, tag }),
    get iid() {
      return iid.value;
    },
  };
  return { store, project, user, pipeline, baseUrl };
}

function predefinedOfPlan(source: PredefinedSource): PredefinedOfPlan {
  return {
    ofPipeline: new PredefinedVariables(source, "pipeline"),
    ofJob: ({ name, stage, when, copy, environment }, environmentName) => {
      const job: JobFacts = {
        ...{ name, stage, when, copy },
        get environment() {
          const expanded = environmentName();
          return environment === undefined || expanded === undefined ? undefined : { ...environment, name: expanded };
        },
      };
      return new PredefinedVariables({ ...source, job }, "pipeline");
    },
  };
}

/**
 * Active jobs of one project. A hundred of the largest pipelines at a time are fewer; more are a loop, or an attack, and
 * everyone's memory.
 */
const activeJobsMax = 50_000;

/** The write quota counts these bytes for each job beside its text: background work writes the job again, and indexes hold it. */
const laterJobBytes = 2 * 1024;
/** And these for each tag: waiting jobs are found by each tag after those before it. */
const tagBytes = 512;

function hasRoomFor(store: Store, project: ProjectRecord, count: number): boolean {
  return store.of(ciJobs).by.active_project_id.find(project.id).size + count <= activeJobsMax;
}

/** Puts a planned pipeline and its jobs into the store; its first stage starts in the background. */
export function insertPipeline(
  tx: Transaction,
  context: Context,
  { request, found, beforeSha, outcome }: PlannedPipeline,
  attributes: Partial<PipelineRecord> = {},
): PipelineRecord {
  const { project, user, source, variables, addedVariables = [], upstreamJobId } = request;
  const now = toDateTime(context.clock.now());
  const isValid = "jobs" in outcome;
  const pipeline = insertRecord(tx, context, theServer, pipelineEvents, {
    id: tx.nextId("pipelines"),
    iid: outcome.iid ?? tx.nextId(iidSequence(project)),
    project_id: project.id,
    sha: found.commit.oid,
    ref: found.name,
    tag: found.tag,
    status: isValid ? "created" : "failed",
    source,
    name: isValid ? outcome.name : null,
    before_sha: beforeSha,
    yaml_errors: isValid ? null : outcome.yamlError,
    user_id: user.id,
    ...keptOf(found),
    variables: [...variables, ...addedVariables],
    ...(isValid && outcome.autoCancel !== undefined ? { auto_cancel: outcome.autoCancel } : {}),
    file_variables: isValid ? outcome.variables : {},
    ...(isValid && outcome.rawVariables.size > 0 ? { raw_file_variables: [...outcome.rawVariables] } : {}),
    ...(isProtectedRef(context, project, { ref: found.name, tag: found.tag }) ? { ref_protected: true } : {}),
    ...(request.triggerShortToken === undefined ? {} : { trigger_short_token: request.triggerShortToken }),
    created_at: now,
    updated_at: now,
    started_at: null,
    finished_at: isValid ? null : now,
    ...(upstreamJobId === undefined ? {} : hierarchyOf(context.store, upstreamJobId)),
    ...attributes,
  });
  if (!isValid || pipeline.status !== "created") return pipeline;
  for (const job of outcome.jobs) {
    insertRecord(tx, context, theServer, ciJobEvents, {
      id: tx.nextId("ci_jobs"),
      pipeline_id: pipeline.id,
      project_id: project.id,
      user_id: user.id,
      status: "created",
      created_at: now,
      ...(pipeline.ref_protected === true ? { is_protected: true as const } : {}),
      ...untouched,
      ...job,
    });
  }
  const tags = outcome.jobs.reduce((sum, { tag_list }) => sum + tag_list.length, 0);
  noteWritten(outcome.jobs.length * laterJobBytes + tags * tagBytes);
  cancelOlder(tx, context, pipeline);
  enqueueJob(tx, context, { kind: pipelineStart.kind, payload: { pipeline_id: pipeline.id } });
  return pipeline;
}

function hierarchyOf(store: Store, upstream_job_id: number): Partial<PipelineRecord> {
  const upstream = store.of(pipelines).get(store.of(ciJobs).get(upstream_job_id)?.pipeline_id ?? 0);
  if (upstream === undefined) return { upstream_job_id };
  return { upstream_job_id, root_pipeline_id: upstream.root_pipeline_id ?? upstream.id };
}
