import { Access } from "../../core/access/index.ts";
import { type ReadableKind, ReadableSets } from "../../core/readable-sets/index.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type MergeRequestRecord, mergeRequests } from "../../merge-requests/merge-requests/records.ts";
import { canReadMergeRequest, mergeRequestReadersIn, readerLevels } from "./policy.ts";

const readableMergeRequests: ReadableKind<MergeRequestRecord> = {
  collection: mergeRequests,
  levels: readerLevels,
  readersIn: mergeRequestReadersIn,
  canRead: canReadMergeRequest,
  listProjectIds: (store) => Array.from(store.of(mergeRequests).by.project_id.keys(), Number),
  listInProject: (store, projectId) => store.of(mergeRequests).by.project_id.find(projectId),
  listByAuthor: (store, userId) => store.of(mergeRequests).by.author_id.find(userId),
};

/** Knows which merge requests a user may read. */
export const ReadableMergeRequests = serviceKey(
  "readable-merge-requests",
  (context) => new ReadableSets(context.store, context.get(Access), readableMergeRequests),
);
