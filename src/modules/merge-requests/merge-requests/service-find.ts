import type { Caller } from "../../../domain/caller.ts";
import { forbidden, notFoundLowerCase } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { iidKey } from "../../planning/issues/records.ts";
import { ReadableMergeRequests } from "../../planning/readable-merge-requests/index.ts";
import { requireFinder } from "./policy.ts";
import { branchKey, type MergeRequestRecord, mergeRequests } from "./records.ts";
import { type MergeRequestVersionRecord, mergeRequestVersions } from "./records-versions.ts";

/** The merge request of this number in the project, without a check of rights; 404 `Not found`. */
export function getMergeRequest({ store }: Context, project: ProjectRecord, iid: number): MergeRequestRecord {
  const id = store.of(mergeRequests).by.iid.find(iidKey(project.id, iid));
  const mergeRequest = id === undefined ? undefined : store.of(mergeRequests).get(id);
  if (mergeRequest === undefined) throw notFoundLowerCase();
  return mergeRequest;
}

/** The merge request of this number; 404 for an unknown one, 403 for one that the caller may not read. */
export function getReadableMergeRequest(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  iid: number,
): MergeRequestRecord {
  const mergeRequest = getMergeRequest(context, project, iid);
  if (!context.get(ReadableMergeRequests).has(caller.user, mergeRequest)) throw forbidden();
  return mergeRequest;
}

/** Finds as `getReadableMergeRequest` does, but those that the caller may not read are unknown too (merge-requests 1). */
export function getFoundMergeRequest(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  iid: number,
): MergeRequestRecord {
  requireFinder(context, caller, project);
  const mergeRequest = getMergeRequest(context, project, iid);
  if (!context.get(ReadableMergeRequests).has(caller.user, mergeRequest)) throw notFoundLowerCase();
  return mergeRequest;
}

/** The newest version. */
export function getVersion(store: Store, { id, version_id }: MergeRequestRecord): MergeRequestVersionRecord {
  const version = store.of(mergeRequestVersions).get(version_id);
  if (version === undefined) throw new Error(`merge request ${id} has no version`);
  return version;
}

export function getTargetProject(store: Store, { id, project_id }: MergeRequestRecord): ProjectRecord {
  const project = store.of(projects).get(project_id);
  if (project === undefined) throw new Error(`merge request ${id} is nowhere`);
  return project;
}

/** The branches of a merge request. */
export type Branches = Pick<MergeRequestRecord, "source_project_id" | "source_branch" | "project_id" | "target_branch">;

/** The open merge request of the same branches. */
export function findOpenTwin(store: Store, branches: Branches, itself?: number): MergeRequestRecord | undefined {
  const documents = store.of(mergeRequests);
  const key = branchKey(branches.source_project_id ?? 0, branches.source_branch);
  for (const id of documents.by.open_source.find(key)) {
    const each = documents.get(id);
    const isTwin = each?.project_id === branches.project_id && each.target_branch === branches.target_branch;
    if (isTwin && id !== itself) return each;
  }
  return undefined;
}
