/** The quick actions of issues alone, and all that an issue has. */

import { pathLengthMax } from "../../../../domain/parameters.ts";
import { toShortDate } from "../../../../lib/datetime.ts";
import { Access } from "../../../core/access/index.ts";
import { findProjectByPath } from "../../../core/namespaces/index.ts";
import {
  type ActionTarget,
  assignableActions,
  commonActions,
  dayNamed,
  type QuickAction,
  UnusableArgument,
} from "../../quick-actions/index.ts";
import { ReadableIssues } from "../../readable-issues/index.ts";
import { canMoveIssues, sameProjectText } from "../changes/service-move.ts";
import { type IssueRecord, issueTypes, severities } from "../records.ts";
import { findIssueByReference, issueReferenceFrom } from "../references/index.ts";
import { premiumActions } from "./actions-premium.ts";

type IssueTarget = ActionTarget<IssueRecord>;
type IssueAction = QuickAction<IssueTarget>;

const isThere = ({ subject }: IssueTarget) => subject !== undefined;

const dateActions: readonly IssueAction[] = [
  {
    names: ["due"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run({ updates, context }, argument) {
      const day = dayNamed(argument, context.clock.now());
      if (day === undefined) return "Failed to set due date because the date format is invalid.";
      updates.due_date = day;
      return `Set the due date to ${toShortDate(day)}.`;
    },
  },
  {
    names: ["remove_due_date"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.due_date !== null,
    run({ updates }) {
      updates.due_date = null;
      return "Removed the due date.";
    },
  },
];

const kindActions: readonly IssueAction[] = [
  {
    names: ["type"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run({ updates, state }, argument) {
      const wanted = argument.toLowerCase().replaceAll(" ", "_");
      const type = issueTypes.find((each) => each === wanted);
      const fault = type === undefined ? "Provided type is not supported" : "Types are the same";
      if (type === undefined || type === state.issue_type) return `Failed to convert this work item: ${fault}.`;
      updates.issue_type = type;
      return "Type changed successfully.";
    },
  },
  {
    names: ["promote_to_incident"],
    isAvailable: ({ rights, state }) => rights.canSetMetadata && state.issue_type !== "incident",
    run({ updates }) {
      updates.issue_type = "incident";
      return "Issue has been promoted to incident";
    },
  },
  {
    names: ["severity"],
    needsArgument: true,
    isAvailable: ({ rights, state }) => rights.canSetMetadata && state.issue_type === "incident",
    run({ updates }, argument) {
      const severity = severityNamed(argument);
      if (severity === undefined) return "No severity matches the provided parameter";
      updates.severity = severity;
      return `Severity updated to ${severity.replace(/^./, (letter) => letter.toUpperCase())}.`;
    },
  },
];

const otherIssueActions: readonly IssueAction[] = [
  {
    names: ["duplicate"],
    needsArgument: true,
    argumentLengthMax: pathLengthMax,
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata,
    run(target, argument) {
      const original = issueNamed(target, argument);
      const noun = target.noun.replace(/^./, (letter) => letter.toUpperCase());
      if (original === undefined) {
        return `Failed to mark this ${noun} as a duplicate because referenced item was not found.`;
      }
      if (original.id === target.state.id) return `Failed to mark the ${noun} as duplicate of itself.`;
      target.updates.canonical_issue_id = original.id;
      const reference = issueReferenceFrom(target.context.store, original, target.project);
      return `Closed this ${noun}. Marked as related to, and a duplicate of, ${reference}.`;
    },
  },
  {
    names: ["copy_metadata"],
    needsArgument: true,
    argumentLengthMax: pathLengthMax,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run(target, argument) {
      const source = issueNamed(target, argument);
      if (source === undefined) throw new UnusableArgument("Failed to find work item or merge request");
      if (source.project_id !== target.project.id) return undefined;
      target.updates.add_label_ids = [...source.label_ids];
      if (source.milestone_id !== null) target.updates.milestone_id = source.milestone_id;
      const reference = issueReferenceFrom(target.context.store, source, target.project);
      return `Copied labels and milestone from ${reference}.`;
    },
  },
  {
    names: ["move"],
    needsArgument: true,
    argumentLengthMax: pathLengthMax,
    isAvailable: (target) => isThere(target) && target.rights.canAdminister && target.state.moved_to_id === null,
    run({ context, caller, project, updates }, path) {
      const found = findProjectByPath(context.store, path);
      if (found === undefined || !context.get(Access).canSeeProject(caller.user, found)) {
        return "Unable to move. Target project or group doesn't exist or doesn't support this item type.";
      }
      if (found.id === project.id) return sameProjectText;
      const isAllowed = [project, found].every((each) => canMoveIssues(context, caller, each));
      if (!isAllowed) return "Unable to move. Insufficient permissions.";
      updates.target_project_id = found.id;
      return `Moved this item to ${path}.`;
    },
  },
];

/** The quick actions that an issue has. */
export const issueActions: readonly IssueAction[] = [
  ...commonActions,
  ...assignableActions,
  ...dateActions,
  ...kindActions,
  ...premiumActions,
  ...otherIssueActions,
];

/** An issue that the caller may read. */
function issueNamed({ context, caller, project }: IssueTarget, argument: string): IssueRecord | undefined {
  const issue = findIssueByReference(context, project, argument);
  return issue !== undefined && context.get(ReadableIssues).has(caller.user, issue) ? issue : undefined;
}

/** `critical`, `S1` or `1`. */
function severityNamed(argument: string): IssueRecord["severity"] | undefined {
  const wanted = argument.toLowerCase();
  const rank = /^s?([1-4])$/.exec(wanted)?.[1];
  return severities.find((severity, at) => severity === wanted || (rank !== undefined && at === 5 - Number(rank)));
}
