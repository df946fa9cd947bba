import { defineModule } from "../../kernel/module.ts";
import { milestoneOperations } from "./operations.ts";

export { getMilestone, groupMilestoneRemoval, nextIid, projectMilestoneRemoval } from "./service.ts";

export const milestonesModule = defineModule({
  name: "milestones",
  tag: "Milestones",
  operations: milestoneOperations,
});
