/** Merge requests, as things that users write notes on. */

import { notFound } from "../../../domain/failure.ts";
import { defineNoteable } from "../../discussions/noteables/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { iidKey } from "../../planning/issues/records.ts";
import { ReadableMergeRequests } from "../../planning/readable-merge-requests/index.ts";
import { interpretMergeRequestText, writeQuickActions } from "./quick-actions/index.ts";
import { type MergeRequestRecord, mergeRequests } from "./records.ts";
import { participantsOf } from "./service-subscriptions.ts";

/** The field that counts reactions of a name. */
const votes: Readonly<Record<string, "upvotes" | "downvotes">> = { thumbsup: "upvotes", thumbsdown: "downvotes" };

export const noteableMergeRequest = defineNoteable<MergeRequestRecord>({
  type: "MergeRequest",
  word: "merge request",
  path: "/projects/:id/merge_requests/:merge_request_iid",
  parameter: "merge_request_iid",
  parameterDescription: "iid of the merge request",
  find: (store, id) => store.of(mergeRequests).get(id),
  findReadable(context, { user }, project, iid) {
    const documents = context.store.of(mergeRequests);
    const id = documents.by.iid.find(iidKey(project.id, iid));
    const mergeRequest = id === undefined ? undefined : documents.get(id);
    const readable = context.get(ReadableMergeRequests);
    return mergeRequest !== undefined && readable.has(user, mergeRequest) ? mergeRequest : undefined;
  },
  notFound: () => notFound("MergeRequest"),
  canRead: (context, user, mergeRequest) => context.get(ReadableMergeRequests).has(user, mergeRequest),
  findProject: (store, { project_id }) => store.of(projects).get(project_id),
  hasInternalNotes: true,
  isLocked: ({ discussion_locked }) => discussion_locked === true,
  referenceOf: ({ iid }) => `!${iid}`,
  pagePathOf: ({ iid }) => `merge_requests/${iid}`,
  listParticipants: (store, mergeRequest) => participantsOf(store, mergeRequest),
  quickActions: { interpret: interpretMergeRequestText, write: writeQuickActions },
  countNotes: (tx, each, by) => tx.update(mergeRequests, { ...each, user_notes_count: each.user_notes_count + by }),
  countReactions(tx, each, name, by) {
    const field = votes[name];
    if (field !== undefined) tx.update(mergeRequests, { ...each, [field]: each[field] + by });
  },
});
