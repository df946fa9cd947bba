import type { Static } from "@sinclair/typebox";
import { forbidden, notFoundLowerCase } from "../../../domain/failure.ts";
import { type Page, type PageRequest, pageOfAll } from "../../../domain/page.ts";
import type { Condition, Store } from "../../../store/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { findArchive } from "../job-artifacts/index.ts";
import { type PipelineRecord, pipelines, refKey } from "./records.ts";
import { type CiJobRecord, ciJobs } from "./records-jobs.ts";
import type { JobNeeds, PipelineFilter } from "./schema.ts";
import { listCurrentJobs } from "./service-progress.ts";
import type { JobStatus } from "./status.ts";

type PipelineCondition = Condition<typeof pipelines.indexes>;

const orders = {
  id: "id",
  status: "status_order",
  ref: "ref_order",
  updated_at: "updated_at",
  user_id: "user_order",
} as const;

/** A child stands for a part of its parent, which is what is asked for. */
const noChild = { not: { index: "source", key: "parent_pipeline" } } as const;

const scopes: Readonly<Record<NonNullable<PipelineFilter["scope"]>, PipelineCondition>> = {
  running: { index: "status", key: "running" },
  pending: { index: "status", key: "pending" },
  finished: { anyOf: ["success", "failed", "canceled"].map((key) => ({ index: "status", key })) },
  branches: { not: { index: "flag", key: "tag" } },
  tags: { index: "flag", key: "tag" },
};

/** `GET /projects/:id/pipelines` (triggers-and-pipelines 3). */
export function listPipelines(
  store: Store,
  { id }: ProjectRecord,
  filter: PipelineFilter,
  page: PageRequest,
): Page<PipelineRecord> {
  const { scope, status, source, ref, sha, yaml_errors, username, name, order_by = "id", sort = "desc" } = filter;
  const where: PipelineCondition[] = [{ index: "project_id", key: id }];
  if (scope !== undefined) where.push(scopes[scope]);
  if (status !== undefined) where.push({ index: "status", key: status });
  where.push(source === undefined ? noChild : { index: "source", key: source });
  if (ref !== undefined) where.push({ index: "ref", key: refKey(id, ref) });
  if (sha !== undefined) where.push({ index: "sha", key: sha });
  if (name !== undefined) where.push({ index: "name", key: name });
  if (username !== undefined) where.push({ index: "user_id", key: findUserByUsername(store, username)?.id ?? 0 });
  if (yaml_errors !== undefined) {
    const flagged = { index: "flag", key: "yaml errors" } as const;
    where.push(yaml_errors ? flagged : { not: flagged });
  }
  for (const index of ["created_at", "updated_at"] as const) {
    const [from, to] =
      index === "created_at"
        ? [filter.created_after, filter.created_before]
        : [filter.updated_after, filter.updated_before];
    if (from !== undefined || to !== undefined) where.push({ index, from, to });
  }
  return store.page(pipelines, { where, order: orders[order_by], descending: sort === "desc", page });
}

/** The newest pipeline of a commit; those that others have made count for these. */
export function findPipelineOfCommit(store: Store, { id }: ProjectRecord, sha: string): PipelineRecord | undefined {
  const where: PipelineCondition[] = [{ index: "sha", key: sha }, { index: "project_id", key: id }, noChild];
  const page = { kind: "keyset", after: undefined, perPage: 1 } as const;
  return store.page(pipelines, { where, order: "id", descending: true, page }).items[0];
}

/** Throws 404 for an unknown pipeline, and for one of another project. */
export function getPipeline(store: Store, { id }: ProjectRecord, pipelineId: number): PipelineRecord {
  const pipeline = store.of(pipelines).get(pipelineId);
  if (pipeline === undefined || pipeline.project_id !== id) throw notFoundLowerCase();
  return pipeline;
}

/** The newest pipeline of a ref, the default branch unless said. Throws 403 for none. */
export function getLatestPipeline(store: Store, project: ProjectRecord, ref: string | undefined): PipelineRecord {
  const where = [{ index: "ref", key: refKey(project.id, ref || (project.default_branch ?? "")) }, noChild] as const;
  const page = { kind: "keyset", after: undefined, perPage: 1 } as const;
  const [latest] = store.page(pipelines, { where, order: "id", descending: true, page }).items;
  if (latest === undefined) throw forbidden();
  return latest;
}

/**
 * The job of a name that has an archive, in the newest pipeline of a ref that succeeded, or in those below it in the same
 * project. Throws 404.
 */
export function getArchivingJob(store: Store, project: ProjectRecord, ref: string, name: string): CiJobRecord {
  const where = [{ index: "ref", key: refKey(project.id, ref) }, { index: "status", key: "success" }, noChild] as const;
  const page = { kind: "keyset", after: undefined, perPage: 1 } as const;
  const [latest] = store.page(pipelines, { where, order: "id", descending: true, page }).items;
  const isWanted = (job: CiJobRecord) =>
    job.name === name && !job.is_bridge && findArchive(store, job.id) !== undefined;
  for (const pipelineId of latest === undefined ? [] : withChildren(store, latest.id)) {
    const job = listCurrentJobs(store, pipelineId).find(isWanted);
    if (job !== undefined) return job;
  }
  throw notFoundLowerCase();
}

/** Yields a pipeline and the child pipelines below it, by their ids: a parent comes before its children. */
function* withChildren(store: Store, pipelineId: number): Generator<number> {
  const documents = store.of(pipelines);
  const waiting = [pipelineId];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    yield id;
    for (const job of listCurrentJobs(store, id)) {
      for (const child of job.is_bridge ? documents.by.upstream_job_id.find(job.id) : []) {
        if (documents.get(child)?.source === "parent_pipeline") waiting.push(child);
      }
    }
    waiting.sort((one, other) => one - other);
  }
}

/** The jobs of a pipeline that runners take, newest first. */
export function listPipelineJobs(
  store: Store,
  pipeline: PipelineRecord,
  { scope = [], include_retried = false }: { scope?: JobStatus[]; include_retried?: boolean },
  page: PageRequest,
): Page<CiJobRecord> {
  const where: Condition<typeof ciJobs.indexes>[] = [
    { index: "pipeline_id", key: pipeline.id },
    { index: "flag", key: "build" },
    ...(include_retried ? [] : [{ not: { index: "flag", key: "retried" } } as const]),
    ...(scope.length === 0 ? [] : [{ anyOf: scope.map((key) => ({ index: "status", key }) as const) }]),
  ];
  return store.page(ciJobs, { where, order: "id", descending: true, page });
}

/** `trigger:` jobs, and the jobs whose tokens made pipelines, one entry for each of these (triggers-and-pipelines 2). */
export function listBridges(
  store: Store,
  pipeline: PipelineRecord,
  { scope = [], include_retried = false }: { scope?: JobStatus[]; include_retried?: boolean },
  page: PageRequest,
): Page<{ readonly job: CiJobRecord; readonly downstream: PipelineRecord | undefined }> {
  const documents = store.of(ciJobs);
  const made = store.of(pipelines);
  const all = [...documents.by.pipeline_id.find(pipeline.id)].reverse().flatMap((id) => {
    const job = documents.get(id) as CiJobRecord;
    if (scope.length > 0 && !scope.includes(job.status)) return [];
    if (job.is_retried === true && !include_retried && job.is_bridge) return [];
    const downstream = [...made.by.upstream_job_id.find(id)].reverse().map((each) => made.get(each));
    if (downstream.length === 0) return job.is_bridge ? [{ job, downstream: undefined }] : [];
    return downstream.map((each) => ({ job, downstream: each }));
  });
  return pageOfAll(all, page);
}

/** `GET /-/projects/:id/pipelines/:pipeline_id/needs`: the jobs and bridges, in their order. */
export function listNeeds(store: Store, { id }: PipelineRecord): Static<typeof JobNeeds>[] {
  return listCurrentJobs(store, id)
    .filter(({ external }) => external === undefined)
    .toSorted((one, other) => one.id - other.id)
    .map(({ name, needs }) => ({ job: name, needs: needs === null ? null : [...needs] }));
}
