import { defineModule } from "../../kernel/module.ts";
import { epicEvents, issuePromoted } from "./events.ts";
import { issuePromotion } from "./promotion.ts";
import { epicIssues, epics } from "./records.ts";
import { epicDeletion, epicGroupRemoval } from "./service-delete.ts";
import { epicUserRemoval } from "./user-removal.ts";

export { epicEvents, issuePromoted, type PromotedIssue } from "./events.ts";
export { nextEpicIid } from "./service-create.ts";

export const epicsModule = defineModule({
  name: "epics",
  tag: "Epics",
  about: { Epics: "Epics of groups, and the issues in them." },
  areas: ["groups"],
  operations: async () => {
    const [{ singleOperations }, { issueOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-issues.ts"),
    ]);
    return [...singleOperations, ...issueOperations];
  },
  samples: async () => (await import("./samples.ts")).epicSamples,
  collections: [epics, epicIssues],
  jobs: [epicDeletion],
  events: [...epicEvents.all, issuePromoted],
  on: [epicGroupRemoval, epicUserRemoval, issuePromotion],
});
