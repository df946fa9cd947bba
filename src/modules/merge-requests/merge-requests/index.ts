import { defineModule } from "../../kernel/module.ts";
import { mergeRequestEvents } from "./events.ts";
import { mergeRequests } from "./records.ts";
import { mergeRequestVersions } from "./records-versions.ts";
import { mergeRequestRefsDeletion } from "./removal/service-removal.ts";
import { deletedUserInMergeRequests, mergeRequestRemoval, mergeRequestUserRemoval } from "./removal/subscriptions.ts";

export { type MergeRequestSaved, mergeRequestEvents } from "./events.ts";

export const mergeRequestsModule = defineModule({
  name: "merge-requests",
  tag: "Merge requests",
  about: { "Merge requests": "Wishes to merge one branch into another, their reviews and their merging." },
  areas: ["groups", "merge_requests", "projects"],
  operations: async () => {
    const [{ listOperations }, { singleOperations }] = await Promise.all([
      import("./operations-list.ts"),
      import("./operations.ts"),
    ]);
    return [...listOperations, ...singleOperations];
  },
  samples: async () => (await import("./samples.ts")).mergeRequestSamples,
  collections: [mergeRequests, mergeRequestVersions],
  jobs: [mergeRequestRefsDeletion],
  events: mergeRequestEvents.all,
  on: [mergeRequestRemoval, mergeRequestUserRemoval, deletedUserInMergeRequests],
});
