import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { awardEmoji } from "./records-award-emoji.ts";
import { epicIssues, epics } from "./records-epics.ts";
import { issues } from "./records-issues.ts";
import { labelPriorities, labels } from "./records-labels.ts";
import { milestones } from "./records-milestones.ts";
import { notes } from "./records-notes.ts";
import { subscriptions } from "./records-subscriptions.ts";

export { formatDuration, parseDuration } from "./durations.ts";
export { isMilestoneOf } from "./milestone-places.ts";
export { groupsAbove, sourcesAbove } from "./note-targets.ts";
export { canReadConfidentialEpics, canReadEpic } from "./policy-epics.ts";
export { presentLabelDetails } from "./presented/present-label.ts";
export { presentMilestone } from "./presented/present-milestone.ts";
export { Label, Milestone } from "./presented/schema.ts";
export { type AwardEmojiRecord, awardByUserKey, awardEmoji, awardOnKey, emojiName } from "./records-award-emoji.ts";
export { type EpicIssueRecord, type EpicRecord, epicIssues, epics } from "./records-epics.ts";
export {
  type IssueRecord,
  iidKey,
  issuePositionStep,
  issues,
  issueTypes,
  neverDue,
  none,
  positionOf,
  type Severity,
  severities,
} from "./records-issues.ts";
export {
  type LabelPriorityRecord,
  type LabelRecord,
  labelPriorities,
  labels,
  priorityKey,
  titleKey,
} from "./records-labels.ts";
export { iidInSourceKey, type MilestoneRecord, milestones } from "./records-milestones.ts";
export { type NoteRecord, notes } from "./records-notes.ts";
export { subscriptions } from "./records-subscriptions.ts";
export { dependentsDeletion, removeAllDependents, removeDependents } from "./service-dependents.ts";
export { insertEpicLink, positionStep, removeEpicLink } from "./service-epic-links.ts";
export {
  findLabel,
  findOrInsertLabels,
  insertLabel,
  labelTitleLengthMax,
  resolveLabels,
} from "./service-label-sets.ts";
export {
  findSubscription,
  moveSubscriptions,
  removeSubscriptionsTo,
  subscribersTo,
  upsertSubscription,
} from "./service-subscribing.ts";
export { textErrors } from "./validation.ts";
export { canSeeGroup, visibleGroupsBelow, visibleProjectsIn } from "./visible-sources.ts";

export const planningRecordsModule = defineModule({
  name: "planning-records",
  collections: [issues, labels, labelPriorities, milestones, epics, epicIssues, notes, awardEmoji, subscriptions],
  on: [deletedWithUser(subscriptions)],
});
