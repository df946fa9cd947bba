import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import type { Condition } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { mergeRequests } from "../../merge-requests/merge-requests/records.ts";
import type { IssuableCondition } from "../issuables/records.ts";
import { ReadableMergeRequests } from "./service.ts";

type MergeRequestCondition = Condition<typeof mergeRequests.indexes>;

/** Open merge requests of projects in use that wait for the caller, as assignee or as reviewer (users-and-auth 13). */
export function countWaitingMergeRequests(
  context: Context,
  { user }: SignedInCaller,
): { readonly assigned: number; readonly toReview: number } {
  const readable = context.get(ReadableMergeRequests);
  const open: MergeRequestCondition[] = [
    { index: "state", key: "opened" },
    { ids: readable.of(user) },
    { not: { ids: readable.withTrait("archived") } },
  ];
  const countOf = (index: "assignee_id" | "reviewer_id") =>
    context.store.count(mergeRequests, [{ index, key: user.id }, ...open]);
  return { assigned: countOf("assignee_id"), toReview: countOf("reviewer_id") };
}

/** Merge requests that a user has written, without a check of rights (users-and-auth 14). */
export function countAuthoredMergeRequests({ store }: Context, userId: number): number {
  return store.of(mergeRequests).by.author_id.find(userId).size;
}

/** Open merge requests among those that the conditions leave, as far as the caller may read them. */
export function countOpenMergeRequests(
  context: Context,
  { user }: Caller,
  where: readonly IssuableCondition[],
): number {
  const open: MergeRequestCondition[] = [
    ...where,
    { ids: context.get(ReadableMergeRequests).of(user) },
    { index: "state", key: "opened" },
  ];
  return context.store.count(mergeRequests, open);
}
