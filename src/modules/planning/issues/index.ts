import { defineModule } from "../../kernel/module.ts";
import { issueEvents, issueMarkedAsDuplicate, issuePromotionRequested } from "./events.ts";
import { issues } from "./records.ts";
import { issueRemoval } from "./removal/project-removal.ts";
import { issueUnassignment, issueUnassignments } from "./removal/unassignment.ts";
import { deletedUserInIssues, issueUserRemoval } from "./removal/user-removal.ts";

export { emptyIssue, insertIssue } from "./changes/service-create.ts";
export { insertEpicLink, removeEpicLink } from "./changes/service-epic-links.ts";
export { closeIssue, iidSequence } from "./changes/service-write.ts";
export { requireValidTexts, textErrors } from "./changes/validation.ts";
export {
  type IssueDuplicate,
  type IssuePromotion,
  type IssueSaved,
  isClosing,
  issueEvents,
  issueMarkedAsDuplicate,
  issuePromotionRequested,
} from "./events.ts";
export {
  type IssueFilters,
  type IssueScope,
  issueConditions,
  issueFilterParameters,
  issueFilterRules,
} from "./filters/index.ts";
export { canHaveIssues, canReadInternalNotes, requireIssueCreator, requirePlanner } from "./policy.ts";
export { presentIssue, presentLabels, presentListedIssue } from "./present.ts";
export { interpretIssueText, writeQuickActions } from "./quick-actions/index.ts";
export { findIssueByReference, issueReferenceFrom, issuesNamedIn, projectReferenceFrom } from "./references/index.ts";
export { unassignIssues } from "./removal/unassignment.ts";
export { Issue, ListedIssue } from "./schema.ts";
export { countAssignedIssues, countAuthoredIssues, countOpenIssues } from "./service-counts.ts";
export { getReadableIssue, getReadableIssueById } from "./service-find.ts";
export { participantsOf } from "./service-subscriptions.ts";

export const issuesModule = defineModule({
  name: "issues",
  tag: "Issues",
  about: { Issues: "Issues of projects, their time tracking and participants." },
  areas: ["groups", "issues", "projects"],
  operations: async () => {
    const [{ singleOperations }, { listOperations }, { subscriptionOperations }, { timeOperations }] =
      await Promise.all([
        import("./operations.ts"),
        import("./operations-list.ts"),
        import("./operations-subscriptions.ts"),
        import("./operations-time.ts"),
      ]);
    return [...listOperations, ...singleOperations, ...subscriptionOperations, ...timeOperations];
  },
  samples: async () => (await import("./samples.ts")).issueSamples,
  collections: [issues],
  jobs: [issueUnassignment],
  events: [...issueEvents.all, issueMarkedAsDuplicate, issuePromotionRequested],
  on: [issueRemoval, issueUserRemoval, deletedUserInIssues, issueUnassignments],
});

/** A part of its own, because the API reference has it after the milestones. */
export const milestoneIssuesModule = defineModule({
  name: "milestone-issues",
  tag: "Milestones",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations-milestones.ts")).milestoneIssueOperations,
});
