import { loadAwardOperations } from "../../discussions/award-emoji/index.ts";
import { noteables } from "../../discussions/noteables/index.ts";
import { loadNoteOperations } from "../../discussions/notes/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { entryOf } from "../../kernel/registry.ts";
import { mergeRequestEvents } from "./events.ts";
import { noteableMergeRequest } from "./noteable.ts";
import { mergeRequestRefresh, pushToMergeRequests } from "./push.ts";
import { mergeRequests } from "./records.ts";
import { mergeRequestVersions } from "./records-versions.ts";
import { mergeRequestRefsDeletion } from "./removal/service-removal.ts";
import { deletedUserInMergeRequests, mergeRequestRemoval, mergeRequestUserRemoval } from "./removal/subscriptions.ts";

export { writeMergeRequest } from "./changes/service-write.ts";

import { mergeRequestUnassignment, mergeRequestUnassignments } from "./removal/unassignment.ts";

export { type MergeRequestSaved, mergeRequestEvents } from "./events.ts";
export { approvalsLeft } from "./mergeability.ts";
export { canUpdate } from "./policy.ts";
export { MergeRequestInPath } from "./schema-parameters.ts";
export { getReadableMergeRequest } from "./service-find.ts";
export { participantsOf } from "./service-subscriptions.ts";

export const mergeRequestsModule = defineModule({
  name: "merge-requests",
  about: { "Merge requests": "Wishes to merge one branch into another, their reviews and their merging." },
  areas: ["groups", "merge_requests", "projects"],
  operations: async () => {
    const [{ listOperations }, { singleOperations }, { mergeOperations }, { commitOperations }, around] =
      await Promise.all([
        import("./operations-list.ts"),
        import("./operations.ts"),
        import("./operations-merge.ts"),
        import("./operations-commits.ts"),
        import("./operations-subscriptions.ts"),
      ]);
    const single = [...singleOperations, ...mergeOperations, ...commitOperations];
    return {
      "Merge requests": [...listOperations, ...single, ...around.subscriptionOperations],
      Notes: await loadNoteOperations(noteableMergeRequest),
      "Award emoji": await loadAwardOperations(noteableMergeRequest),
    };
  },
  samples: async () => (await import("./samples.ts")).mergeRequestSamples,
  collections: [mergeRequests, mergeRequestVersions],
  entries: [entryOf(noteables, noteableMergeRequest)],
  jobs: [mergeRequestRefsDeletion, mergeRequestRefresh, mergeRequestUnassignment],
  events: mergeRequestEvents.all,
  on: [
    pushToMergeRequests,
    mergeRequestRemoval,
    mergeRequestUserRemoval,
    deletedUserInMergeRequests,
    mergeRequestUnassignments,
  ],
});
