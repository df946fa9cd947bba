/** The quick actions of merge requests alone, and all that a merge request has. */

import { includesTier } from "../../../../domain/edition.ts";
import { findUser } from "../../../core/users/index.ts";
import {
  type ActionTarget,
  assignableActions,
  commonActions,
  type QuickAction,
  sentenceOf,
  usersNamed,
} from "../../../planning/quick-actions/index.ts";
import { isDraftTitle, type MergeRequestRecord } from "../records.ts";

export type MergeRequestTarget = ActionTarget<MergeRequestRecord>;

const isThere = ({ subject }: MergeRequestTarget) => subject !== undefined;
const mayRetitle = (target: MergeRequestTarget) => !isThere(target) || target.rights.canUpdate;
const hasSeveralReviewers = ({ context }: MergeRequestTarget) => includesTier(context.edition, "premium");
const namesOf = (usernames: readonly string[]) => sentenceOf(usernames.map((name) => `@${name}`));
const nounFor = (count: number) => (count === 1 ? "reviewer" : "reviewers");

const reviewActions: readonly QuickAction<MergeRequestTarget>[] = [
  {
    names: ["assign_reviewer", "reviewer"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run(target, argument) {
      const chosen = chooseReviewers(target, argument);
      if (chosen.length === 0) return "Failed to assign a reviewer because no user was specified.";
      return `Assigned ${namesOf(chosen)} as ${nounFor(chosen.length)}.`;
    },
  },
  {
    names: ["request_review"],
    needsArgument: true,
    isAvailable: ({ rights }) => rights.canSetMetadata,
    run(target, argument) {
      const chosen = chooseReviewers(target, argument);
      if (chosen.length === 0) return "Failed to request a review because no user was specified.";
      return `Requested a review from ${namesOf(chosen)}.`;
    },
  },
  {
    names: ["unassign_reviewer", "remove_reviewer"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && target.state.reviewer_ids.length > 0,
    run(target, argument) {
      const { updates, state, context } = target;
      const named = argument !== "" && hasSeveralReviewers(target) ? usersNamed(target, argument) : [];
      const removed = named.length > 0 ? named.map(({ id }) => id) : state.reviewer_ids;
      const present = updates.reviewer_ids ?? state.reviewer_ids;
      updates.reviewer_ids = named.length > 0 ? present.filter((id) => !removed.includes(id)) : [];
      const names = removed.map((id) => findUser(context.store, id)?.username ?? "");
      return `Removed ${nounFor(names.length)} ${namesOf(names)}.`;
    },
  },
];

const draftActions: readonly QuickAction<MergeRequestTarget>[] = [
  {
    names: ["draft"],
    isAvailable: mayRetitle,
    run({ updates, state, noun }) {
      if (isDraftTitle(state.title)) return `No change to this ${noun}'s draft status.`;
      updates.wip_event = "draft";
      return `Marked this ${noun} as a draft.`;
    },
  },
  {
    names: ["ready"],
    isAvailable: mayRetitle,
    run({ updates, state, noun }) {
      if (!isDraftTitle(state.title)) return `No change to this ${noun}'s draft status.`;
      updates.wip_event = "ready";
      return `Marked this ${noun} as ready.`;
    },
  },
];

/** The quick actions that a merge request has. */
export const mergeRequestActions: readonly QuickAction<MergeRequestTarget>[] = [
  ...commonActions,
  ...assignableActions,
  ...draftActions,
  ...reviewActions,
];

/** Adds the users of an argument to the reviewers, as far as they may read it. Returns the names that the argument has. */
function chooseReviewers(target: MergeRequestTarget, argument: string): string[] {
  const { updates, state } = target;
  const found = usersNamed(target, argument);
  const chosen = hasSeveralReviewers(target) ? found : found.slice(0, 1);
  const ids = chosen.map(({ id }) => id).filter((id) => target.canBeAssigned(id));
  const present = hasSeveralReviewers(target) ? (updates.reviewer_ids ?? state.reviewer_ids) : [];
  if (ids.length > 0) updates.reviewer_ids = [...new Set([...present, ...ids])];
  return chosen.map(({ username }) => username);
}
