import { defineModule } from "../../kernel/module.ts";
import { awardEmoji } from "./records-award-emoji.ts";
import { epicIssues, epics } from "./records-epics.ts";
import { issues } from "./records-issues.ts";
import { notes } from "./records-notes.ts";

export { canReadConfidentialEpics, canReadEpic } from "./policy-epics.ts";
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
export { type NoteRecord, notes } from "./records-notes.ts";
export { dependentsDeletion, removeAllDependents, removeDependents } from "./service-dependents.ts";
export { insertEpicLink, positionStep, removeEpicLink } from "./service-epic-links.ts";
export { textErrors } from "./validation.ts";

export const planningRecordsModule = defineModule({
  name: "planning-records",
  collections: [issues, epics, epicIssues, notes, awardEmoji],
});
