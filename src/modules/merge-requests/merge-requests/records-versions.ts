import { collection, field, multi, type RecordOf, record } from "../../../store/index.ts";

/** The commits that a merge request was about from some push to the next (merge-requests 5). */
export const MergeRequestVersionRecord = record({
  id: field.whole,
  merge_request_id: field.whole,
  /** The newest commit that both branches have in common. */
  base_sha: field.text,
  /** The target branch. */
  start_sha: field.text,
  /** The source branch. */
  head_sha: field.text,
  /** The number of changed files, with a `+` where limits cut it; left out: not counted yet. */
  size: field.optional(field.text),
  created_at: field.moment,
});
export type MergeRequestVersionRecord = RecordOf<typeof MergeRequestVersionRecord>;

export const mergeRequestVersions = collection("merge-request-versions", MergeRequestVersionRecord, {
  indexes: { merge_request_id: multi((version) => [version.merge_request_id]) },
  references: { merge_request_id: "merge-requests" },
});
