import type { ProjectRecord } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { type MergeRequestRecord, mergeRequests } from "../../../src/modules/merge-requests/merge-requests/records.ts";
import { mergeRequestVersions } from "../../../src/modules/merge-requests/merge-requests/records-versions.ts";
import type { World } from "../fixtures/world.ts";

const oid = (digit: string) => digit.repeat(40);

/** Merge requests straight in the store, without a repository: each as small as it can be, or as it is said. */
export function mergeRequestsOf({ store, clock }: World) {
  return (project: ProjectRecord, author_id: number, attributes: Partial<MergeRequestRecord> = {}) =>
    store.transact((tx): MergeRequestRecord => {
      const id = tx.nextId("merge_requests");
      const now = clock.time();
      const version = tx.insert(mergeRequestVersions, {
        id: tx.nextId("merge_request_versions"),
        merge_request_id: id,
        ...{ base_sha: oid("a"), start_sha: oid("b"), head_sha: oid("c"), size: "1", created_at: now },
      });
      return tx.insert(mergeRequests, {
        id,
        iid: tx.nextId(`merge requests of project ${project.id}`),
        ...{ project_id: project.id, source_project_id: project.id, author_id },
        ...{ source_branch: `change-${id}`, target_branch: "main", title: "Mend the roof", description: null },
        ...{ state: "opened", assignee_ids: [], reviewer_ids: [], label_ids: [], milestone_id: null },
        ...{ discussion_locked: null, created_at: now, updated_at: now, prepared_at: now },
        ...{ merged_at: null, merge_user_id: null, closed_at: null, closed_by_id: null, merge_after: null },
        ...{ merge_status: "unchecked", merge_error: null, merge_commit_sha: null, squash_commit_sha: null },
        ...{ should_remove_source_branch: null, force_remove_source_branch: null },
        ...{ allow_collaboration: false, squash: false, version_id: version.id, head_sha: version.head_sha },
        ...{ time_estimate: 0, total_time_spent: 0, task_completion: { count: 0, completed_count: 0 } },
        ...{ user_notes_count: 0, upvotes: 0, downvotes: 0 },
        ...attributes,
      });
    });
}
