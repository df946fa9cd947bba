import { defineModule } from "../../kernel/module.ts";
import { groupMilestoneRemoval, projectMilestoneRemoval } from "./service.ts";

export { getMilestone, insertMilestone, nextIid } from "./service.ts";

export const milestonesModule = defineModule({
  name: "milestones",
  tag: "Milestones",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).milestoneOperations,
  on: [projectMilestoneRemoval, groupMilestoneRemoval],
});
