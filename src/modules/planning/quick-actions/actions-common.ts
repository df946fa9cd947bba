/** The quick actions of everything with a state, a title, labels and subscribers: issues, merge requests, epics. */

import { emojiOf } from "../../../lib/text/emoji.ts";
import { emojiName } from "../../discussions/award-emoji/records.ts";
import type { Context } from "../../kernel/context.ts";
import { withoutRivals } from "../labels/index.ts";
import type { ActionTarget, QuickAction } from "./action.ts";
import { hasLabels, labelList, labelsNamed } from "./arguments.ts";

/** Room for a hundred labels with the longest titles. */
const labelsLengthMax = 32_768;

const isThere = ({ subject }: ActionTarget) => subject !== undefined;
const canRelabel = (target: ActionTarget) =>
  isThere(target) && target.rights.canSetMetadata && target.state.label_ids.length > 0;

export const commonActions: readonly QuickAction[] = [
  {
    names: ["close"],
    isAvailable: (target) => isThere(target) && target.rights.canUpdate && target.state.state === "opened",
    run({ updates, noun }) {
      updates.state_event = "close";
      return `Closed this ${noun}.`;
    },
  },
  {
    names: ["reopen"],
    isAvailable: (target) => isThere(target) && target.rights.canUpdate && target.state.state === "closed",
    run({ updates, noun }) {
      updates.state_event = "reopen";
      return `Reopened this ${noun}.`;
    },
  },
  {
    names: ["title"],
    needsArgument: true,
    isAvailable: (target) => isThere(target) && target.rights.canUpdate,
    run({ updates }, title) {
      updates.title = title;
      return `Changed the title to "${title}".`;
    },
  },
  {
    names: ["label", "labels"],
    needsArgument: true,
    argumentLengthMax: labelsLengthMax,
    isAvailable: (target) => target.rights.canSetMetadata && hasLabels(target),
    run(target, argument) {
      const found = labelsNamed(target, argument);
      if (found.length === 0) return undefined;
      const { updates } = target;
      updates.add_label_ids = [...new Set([...(updates.add_label_ids ?? []), ...found.map(({ id }) => id)])];
      return `Added ${labelList(found)}.`;
    },
  },
  {
    names: ["unlabel", "remove_label"],
    argumentLengthMax: labelsLengthMax,
    isAvailable: canRelabel,
    run(target, argument) {
      const { updates } = target;
      if (argument === "") {
        updates.label_ids = [];
        return "Removed all labels.";
      }
      const found = labelsNamed(target, argument);
      if (found.length === 0) return undefined;
      updates.remove_label_ids = [...new Set([...(updates.remove_label_ids ?? []), ...found.map(({ id }) => id)])];
      return `Removed ${labelList(found)}.`;
    },
  },
  {
    names: ["relabel"],
    needsArgument: true,
    argumentLengthMax: labelsLengthMax,
    isAvailable: canRelabel,
    run(target, argument) {
      const found = labelsNamed(target, argument);
      if (found.length === 0) return undefined;
      const { updates } = target;
      updates.label_ids = [...new Set([...(updates.label_ids ?? []), ...found.map(({ id }) => id)])];
      return `Replaced all labels with ${labelList(found)}.`;
    },
  },
  {
    names: ["subscribe"],
    isAvailable: (target) => isThere(target) && !target.isSubscribed,
    run({ updates }) {
      updates.subscription_event = "subscribe";
      return "Subscribed to notifications.";
    },
  },
  {
    names: ["unsubscribe"],
    isAvailable: (target) => isThere(target) && target.isSubscribed,
    run({ updates }) {
      updates.subscription_event = "unsubscribe";
      return "Unsubscribed from notifications.";
    },
  },
  {
    names: ["react", "award"],
    needsArgument: true,
    isAvailable: isThere,
    run({ updates }, argument) {
      const [, given] = /:([\w+-]{1,100}):/.exec(argument) ?? [];
      if (given === undefined || emojiOf(given) === undefined) return undefined;
      updates.emoji_award = emojiName(given);
      return `Toggled :${given}: emoji reaction.`;
    },
  },
  {
    names: ["confidential"],
    isAvailable: ({ rights, state }) => rights.canSetMetadata && state.confidential === false,
    run({ updates, noun }) {
      updates.confidential = true;
      return `Made this ${noun} confidential.`;
    },
  },
];

/** The labels of a thing after the updates, in rising order; undefined: they say nothing about labels. */
export function labelIdsAfter(
  context: Context,
  { label_ids, add_label_ids, remove_label_ids }: ActionTarget["updates"],
  present: readonly number[],
): number[] | undefined {
  if (label_ids === undefined && add_label_ids === undefined && remove_label_ids === undefined) return undefined;
  const removed = new Set(remove_label_ids);
  const all = new Set([...(label_ids ?? present), ...(add_label_ids ?? [])]);
  const named = [...all].filter((id) => !removed.has(id));
  return withoutRivals(context, present, named).sort((one, other) => one - other);
}
