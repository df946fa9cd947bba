import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { type Page, type PageRequest, pageOfAll } from "../../../domain/page.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { getCommit } from "../../repositories/repositories/index.ts";
import { requireBuildReader } from "../pipelines/index.ts";
import { type PipelineRecord, pipelines } from "../pipelines/records.ts";
import { type CiJobRecord, ciJobs } from "../pipelines/records-jobs.ts";
import type { ListCommitStatuses } from "./schema.ts";

/** `GET .../commits/:sha/statuses`. Throws 403; 404 `Commit Not Found`; and `OverBudget`. */
export async function listCommitStatuses(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  filter: Omit<Static<typeof ListCommitStatuses>, "id">,
  page: PageRequest,
): Promise<Page<CiJobRecord>> {
  requireBuildReader(context, caller, project);
  const { commit } = await getCommit(context, caller, project, filter.sha, { hasStats: false });
  const { ref, stage, name, pipeline_id, all = false, order_by = "id", sort = "asc" } = filter;
  const { store } = context;
  const jobs = store.of(ciJobs);
  const found: CiJobRecord[] = [];
  for (const pipeline of pipelinesOf(store, project, commit.oid)) {
    if ((ref && pipeline.ref !== ref) || (pipeline_id !== undefined && pipeline.id !== pipeline_id)) continue;
    const ids = jobs.by.pipeline_id.find(pipeline.id);
    spend(ids.size * documentSteps);
    for (const id of ids) {
      const job = jobs.get(id) as CiJobRecord;
      const isWanted = (!stage || job.stage === stage) && (!name || job.name === name);
      if (isWanted && (all || job.is_retried !== true)) found.push(job);
    }
  }
  const direction = sort === "asc" ? 1 : -1;
  const byId = (one: CiJobRecord, other: CiJobRecord) => one.id - other.id;
  found.sort(
    order_by === "id"
      ? (one, other) => direction * byId(one, other)
      : (one, other) => direction * (one.pipeline_id - other.pipeline_id) || byId(one, other),
  );
  return pageOfAll(found, page);
}

/** The pipelines of a commit, newest first. A child is a part of its parent. */
export function pipelinesOf(store: Store, { id }: ProjectRecord, sha: string): PipelineRecord[] {
  const documents = store.of(pipelines);
  const ids = documents.by.sha.find(sha);
  spend(ids.size * documentSteps);
  return [...ids]
    .map((each) => documents.get(each) as PipelineRecord)
    .filter(({ project_id, source }) => project_id === id && source !== "parent_pipeline")
    .sort((one, other) => other.id - one.id);
}
