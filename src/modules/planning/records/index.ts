import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { awardEmoji } from "./award-emoji.ts";
import { epicIssues, epics } from "./epics.ts";
import { issues } from "./issues.ts";
import { labelPriorities, labels } from "./labels.ts";
import { milestones } from "./milestones.ts";
import { notes } from "./notes.ts";
import { subscriptions } from "./subscriptions.ts";

export { type AwardEmojiRecord, awardByUserKey, awardEmoji, awardOnKey, emojiName } from "./award-emoji.ts";
export { removeDependents } from "./dependents.ts";
export { insertEpicLink, positionStep, removeEpicLink } from "./epic-links.ts";
export { type EpicIssueRecord, type EpicRecord, epicIssues, epics } from "./epics.ts";
export {
  type IssueRecord,
  iidKey,
  issues,
  issueTypes,
  neverDue,
  none,
  type Severity,
  severities,
} from "./issues.ts";
export { findLabel, findOrInsertLabels, insertLabel, labelTitleLengthMax, resolveLabels } from "./label-sets.ts";
export {
  type LabelPriorityRecord,
  type LabelRecord,
  labelPriorities,
  labels,
  priorityKey,
  titleKey,
} from "./labels.ts";
export { isMilestoneOf } from "./milestone-places.ts";
export { iidInSourceKey, type MilestoneRecord, milestones } from "./milestones.ts";
export { groupsAbove, sourcesAbove } from "./note-targets.ts";
export { type NoteRecord, notes } from "./notes.ts";
export { presentLabelDetails } from "./presented/present-label.ts";
export { presentMilestone } from "./presented/present-milestone.ts";
export { Label, Milestone } from "./presented/presented.ts";
export { canReadConfidentialEpics, canReadEpic } from "./readable-epics.ts";
export { sourceOf } from "./sources.ts";
export { type SubjectRef, subjectKey } from "./subjects.ts";
export {
  findSubscription,
  moveSubscriptions,
  removeSubscriptionsTo,
  subscribersTo,
  upsertSubscription,
} from "./subscribing.ts";
export { subscriptions } from "./subscriptions.ts";
export { textErrors } from "./validation.ts";

export const planningRecordsModule = defineModule({
  name: "planning-records",
  collections: [issues, labels, labelPriorities, milestones, epics, epicIssues, notes, awardEmoji, subscriptions],
  on: [deletedWithUser(subscriptions)],
});
