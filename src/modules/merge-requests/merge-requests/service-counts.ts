import type { Caller } from "../../../domain/caller.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { readableConditions } from "./lists/index.ts";
import { type MergeRequestRecord, mergeRequests } from "./records.ts";

/** Whether none of the author's was merged in the project before this one (merge-requests 3.2). */
export function isFirstContribution(
  store: Store,
  { id, project_id, author_id, merged_at }: MergeRequestRecord,
): boolean {
  const earlier = store.count(mergeRequests, [
    { index: "project_id", key: project_id },
    { index: "author_id", key: author_id },
    { index: "state", key: "merged" },
    { not: { ids: [id] } },
    ...(merged_at === null ? [] : [{ index: "merged_at", from: undefined, to: merged_at } as const]),
  ]);
  return earlier === 0;
}

/** Open merge requests of a project that the caller may read. */
export function countOpenMergeRequests(context: Context, caller: Caller, project: ProjectRecord): number {
  const where = readableConditions(context, caller.user, { project });
  return context.store.count(mergeRequests, [...where, { index: "state", key: "opened" }]);
}
