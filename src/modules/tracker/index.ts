export { type AwardEmojiRecord, awardEmoji, giftKey } from "./award-emoji.ts";
export { type EpicIssueRecord, type EpicRecord, epicIssues, epics } from "./epics.ts";
export {
  type IssueRecord,
  type IssueType,
  iidKey,
  issues,
  issueTypes,
  neverDue,
  none,
  type Severity,
  severities,
} from "./issues.ts";
export { type LabelPriorityRecord, type LabelRecord, labelPriorities, labels } from "./labels.ts";
export { type MilestoneRecord, milestones } from "./milestones.ts";
export { type NoteRecord, notes } from "./notes.ts";
export { type SubjectRef, subjectKey } from "./subjects.ts";
export { type SubscriptionRecord, subscriptions } from "./subscriptions.ts";
