import { type IssueRecord, issues } from "../../../src/modules/planning/issues/records.ts";
import type { World } from "../fixtures/world.ts";
import { emptyIssueRecord } from "./issue-records.ts";

/** Issues of a project straight in the store, as many as there are attributes; root wrote them. */
export function addIssues(
  { store, clock }: World,
  projectId: number,
  attributes: readonly Partial<IssueRecord>[],
): IssueRecord[] {
  return store.transact((tx) =>
    attributes.map((given) =>
      tx.insert(issues, {
        ...emptyIssueRecord,
        id: tx.nextId("issues"),
        iid: tx.nextId(`issues of project ${projectId}`),
        project_id: projectId,
        author_id: 1,
        created_at: clock.time(),
        updated_at: clock.time(),
        ...given,
      }),
    ),
  );
}
