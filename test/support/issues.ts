import { type IssueRecord, issues } from "../../src/modules/tracker/index.ts";
import type { World } from "./world.ts";

/** Issues of a project straight in the store, as many as there are attributes; root wrote them. */
export function addIssues(
  { store, clock }: World,
  projectId: number,
  attributes: readonly Partial<IssueRecord>[],
): IssueRecord[] {
  return store.transact((tx) =>
    attributes.map((given) =>
      tx.insert(issues, {
        id: tx.nextId("issues"),
        iid: tx.nextId(`issues of project ${projectId}`),
        project_id: projectId,
        title: "An issue",
        description: null,
        state: "opened",
        author_id: 1,
        assignee_ids: [],
        label_ids: [],
        milestone_id: null,
        epic_id: null,
        confidential: false,
        issue_type: "issue",
        severity: "unknown",
        weight: null,
        due_date: null,
        start_date: null,
        discussion_locked: null,
        created_at: clock.time(),
        updated_at: clock.time(),
        closed_at: null,
        closed_by_id: null,
        moved_to_id: null,
        time_estimate: 0,
        total_time_spent: 0,
        user_notes_count: 0,
        upvotes: 0,
        downvotes: 0,
        ...given,
      }),
    ),
  );
}
