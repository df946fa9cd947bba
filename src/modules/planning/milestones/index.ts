import { defineModule } from "../../kernel/module.ts";
import { milestoneOperations } from "./operations.ts";
import { groupMilestoneRemoval, projectMilestoneRemoval } from "./service.ts";

export { getMilestone, insertMilestone, nextIid } from "./service.ts";

export const milestonesModule = defineModule({
  name: "milestones",
  tag: "Milestones",
  operations: milestoneOperations,
  on: [projectMilestoneRemoval, groupMilestoneRemoval],
});
