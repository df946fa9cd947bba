export { milestoneOperations } from "./operations.ts";
export { getMilestone, groupMilestoneRemoval, projectMilestoneRemoval } from "./service.ts";
