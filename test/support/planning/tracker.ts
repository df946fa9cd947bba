import { awardEmoji } from "../../../src/modules/discussions/award-emoji/records.ts";
import type { ProjectRecord } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { type EpicRecord, epics } from "../../../src/modules/planning/epics/records.ts";
import { type IssueRecord, issues } from "../../../src/modules/planning/issues/records.ts";
import { type LabelRecord, labelPriorities, labels } from "../../../src/modules/planning/labels/records.ts";
import { type MilestoneRecord, milestones } from "../../../src/modules/planning/milestones/records.ts";
import type { World } from "../fixtures/world.ts";
import { emptyIssueRecord } from "./issue-records.ts";

type Source = { readonly id: number; readonly namespace_id?: number };

const sourceOf = (source: Source) =>
  ({ source_type: source.namespace_id === undefined ? "group" : "project", source_id: source.id }) as const;

/** Issues and what they are filed by, straight in the store: each as small as it can be, or as it is said. */
export function trackerOf({ store, clock }: World) {
  const stamp = () => ({ created_at: clock.time(), updated_at: clock.time() });
  return {
    issue(project: ProjectRecord, author_id: number, attributes: Partial<IssueRecord> = {}): IssueRecord {
      return store.transact((tx) => {
        const iid = tx.nextId(`issues of project ${project.id}`);
        const own = { id: tx.nextId("issues"), iid, project_id: project.id, author_id };
        return tx.insert(issues, { ...emptyIssueRecord, ...stamp(), ...own, ...attributes });
      });
    },
    label(source: Source, title: string, attributes: Partial<LabelRecord> = {}): LabelRecord {
      return store.transact((tx) => {
        const plain = { title, description: null, color: "#FF0000" };
        return tx.insert(labels, { id: tx.nextId("labels"), ...sourceOf(source), ...plain, ...stamp(), ...attributes });
      });
    },
    priority(label: LabelRecord, project: ProjectRecord, priority: number): void {
      store.transact((tx) => {
        const pair = { label_id: label.id, project_id: project.id };
        tx.insert(labelPriorities, { id: tx.nextId("label_priorities"), ...pair, priority });
      });
    },
    milestone(source: Source, title: string, attributes: Partial<MilestoneRecord> = {}): MilestoneRecord {
      return store.transact((tx) => {
        const { source_type, source_id } = sourceOf(source);
        const iid = tx.nextId(`milestones of ${source_type} ${source_id}`);
        const plain = { title, description: null, state: "active", start_date: null, due_date: null } as const;
        const own = { id: tx.nextId("milestones"), iid, source_type, source_id };
        return tx.insert(milestones, { ...own, ...plain, ...stamp(), ...attributes });
      });
    },
    epic(groupId: number, author_id: number, attributes: Partial<EpicRecord> = {}): EpicRecord {
      return store.transact((tx) =>
        tx.insert(epics, {
          id: tx.nextId("epics"),
          iid: tx.nextId(`epics of group ${groupId}`),
          group_id: groupId,
          parent_id: null,
          title: "an epic",
          description: null,
          state: "opened",
          confidential: false,
          author_id,
          label_ids: [],
          start_date_is_fixed: false,
          start_date_fixed: null,
          due_date_is_fixed: false,
          due_date_fixed: null,
          color: "#1068bf",
          ...stamp(),
          closed_at: null,
          upvotes: 0,
          downvotes: 0,
          ...attributes,
        }),
      );
    },
    reaction(issue: IssueRecord, user_id: number, name: string): void {
      store.transact((tx) => {
        const subject = { awardable_type: "Issue", awardable_id: issue.id } as const;
        tx.insert(awardEmoji, { id: tx.nextId("award_emoji"), ...subject, user_id, name, ...stamp() });
      });
    },
  };
}
