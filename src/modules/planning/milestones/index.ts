import { defineModule } from "../../kernel/module.ts";
import { milestoneEvents } from "./events.ts";
import { milestones } from "./records.ts";
import { groupMilestoneRemoval, projectMilestoneRemoval } from "./service.ts";

export { milestoneEvents } from "./events.ts";
export { presentMilestone } from "./present.ts";
export { Milestone } from "./schema.ts";
export { getMilestone, insertMilestone, isMilestoneOf, nextIid } from "./service.ts";
export { findOwnMilestone } from "./service-titles.ts";

export const milestonesModule = defineModule({
  name: "milestones",
  tag: "Milestones",
  about: { Milestones: "Milestones of groups and projects." },
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).milestoneOperations,
  samples: async () => (await import("./samples.ts")).milestoneSamples,
  collections: [milestones],
  events: milestoneEvents.all,
  on: [projectMilestoneRemoval, groupMilestoneRemoval],
});
