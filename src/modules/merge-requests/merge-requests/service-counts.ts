import type { Store } from "../../../store/index.ts";
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
