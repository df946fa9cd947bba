/** The quick actions of what has assignees, a milestone and time tracking: issues and merge requests. */

import { includesTier } from "../../../domain/edition.ts";
import { spend } from "../../../domain/work-budget.ts";
import { parseCalendarDate, toCalendarDate } from "../../../lib/datetime.ts";
import { formatDuration, parseDuration } from "../../../lib/text/durations.ts";
import { sourcesAbove } from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import { milestones } from "../milestones/records.ts";
import type { ActionTarget, QuickAction } from "./action.ts";
import { milestoneNamed, milestoneReference, sentenceOf, usersNamed } from "./arguments.ts";

const isThere = ({ subject }: ActionTarget) => subject !== undefined;
const hasSeveralAssignees = ({ context }: ActionTarget) => includesTier(context.edition, "premium");
const namesOf = (usernames: readonly string[]) => sentenceOf(usernames.map((name) => `@${name}`));

export const assignableActions: readonly QuickAction[] = [
  {
    names: ["assign"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run(target, argument) {
      const found = usersNamed(target, argument);
      const chosen = hasSeveralAssignees(target) ? found : found.slice(0, 1);
      if (chosen.length === 0) return "Failed to assign a user because no user was found.";
      const { updates, state } = target;
      const ids = chosen.map(({ id }) => id).filter((id) => target.canBeAssigned(id));
      const present = hasSeveralAssignees(target) ? (updates.assignee_ids ?? state.assignee_ids) : [];
      updates.assignee_ids = [...new Set([...present, ...ids])];
      return `Assigned ${namesOf(chosen.map(({ username }) => username))}.`;
    },
  },
  {
    names: ["unassign"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.assignee_ids.length > 0,
    run(target, argument) {
      const { updates, state, context } = target;
      const named = argument !== "" && hasSeveralAssignees(target) ? usersNamed(target, argument) : [];
      const removed = named.length > 0 ? named.map(({ id }) => id) : state.assignee_ids;
      updates.assignee_ids =
        named.length > 0 ? (updates.assignee_ids ?? state.assignee_ids).filter((id) => !removed.includes(id)) : [];
      const names = removed.map((id) => findUser(context.store, id)?.username ?? "");
      return `Removed ${names.length === 1 ? "assignee" : "assignees"} ${namesOf(names)}.`;
    },
  },
  {
    names: ["reassign"],
    needsArgument: true,
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && hasSeveralAssignees(target),
    run(target, argument) {
      const ids = usersNamed(target, argument).map(({ id }) => id);
      target.updates.assignee_ids = ids.filter((id) => target.canBeAssigned(id));
      return "Changed assignees.";
    },
  },
  {
    names: ["milestone"],
    needsArgument: true,
    isAvailable: (target) => target.rights.canSetMetadata && hasActiveMilestones(target),
    run(target, argument) {
      const milestone = milestoneNamed(target, argument);
      if (milestone === undefined) return undefined;
      target.updates.milestone_id = milestone.id;
      return `Set the milestone to ${milestoneReference(milestone)}.`;
    },
  },
  {
    names: ["remove_milestone"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.milestone_id !== null,
    run({ updates, state, context }) {
      updates.milestone_id = null;
      const milestone = context.store.of(milestones).get(state.milestone_id ?? 0);
      return milestone === undefined ? "Removed milestone." : `Removed ${milestoneReference(milestone)} milestone.`;
    },
  },
  {
    names: ["estimate", "estimate_time"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canAdminister,
    run({ updates }, argument) {
      const seconds = parseDuration(argument);
      if (seconds === undefined || seconds < 0) return undefined;
      updates.time_estimate = seconds;
      return seconds === 0 ? "Removed time estimate." : `Set time estimate to ${formatDuration(seconds)}.`;
    },
  },
  {
    names: ["remove_estimate", "remove_time_estimate"],
    isAvailable: (target) => isThere(target) && target.rights.canAdminister,
    run({ updates }) {
      updates.time_estimate = 0;
      return "Removed time estimate.";
    },
  },
  {
    names: ["spend", "spent", "spend_time"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canAdminister,
    run({ updates, caller, context }, argument) {
      const spent = spentTime(argument, toCalendarDate(context.clock.now()));
      if (spent === undefined) return undefined;
      updates.spend_time = { duration: spent.seconds, user_id: caller.user.id, spent_at: spent.day };
      const amount = formatDuration(Math.abs(spent.seconds));
      return `${spent.seconds > 0 ? "Added" : "Subtracted"} ${amount} spent time.`;
    },
  },
  {
    names: ["remove_time_spent"],
    isAvailable: (target) => isThere(target) && target.rights.canAdminister,
    run({ updates, caller }) {
      updates.spend_time = { duration: "reset", user_id: caller.user.id };
      return "Removed spent time.";
    },
  },
  {
    names: ["lock"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.discussion_locked !== true,
    run({ updates }) {
      updates.discussion_locked = true;
      return "Locked the discussion.";
    },
  },
  {
    names: ["unlock"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.discussion_locked === true,
    run({ updates }) {
      updates.discussion_locked = false;
      return "Unlocked the discussion.";
    },
  },
];

function hasActiveMilestones({ context: { store }, project }: ActionTarget): boolean {
  const documents = store.of(milestones);
  const active = documents.by.state.find("active");
  return sourcesAbove(store, project).some(({ type, id }) => {
    const found = documents.by.source.find(`${type} ${id}`);
    spend(found.size);
    return [...found].some((each) => active.has(each));
  });
}

const writtenDay = /\d{2,4}[/.-]\d{1,2}[/.-]\d{1,2}/;

/** `1h 30m 2024-05-01`: a duration, and the day, today at the latest. */
function spentTime(argument: string, today: string): { seconds: number; day: string } | undefined {
  const [written] = writtenDay.exec(argument) ?? [];
  const day = written === undefined ? today : dayOf(written);
  const seconds = parseDuration(argument.replace(written ?? "", ""));
  return day === undefined || day > today || !seconds ? undefined : { seconds, day };
}

function dayOf(written: string): string | undefined {
  const [year = "", month = "", day = ""] = written.split(/[/.-]/);
  return parseCalendarDate(`${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}
