export { milestoneOperations } from "./operations.ts";
export { getMilestone, groupMilestoneRemoval, nextIid, projectMilestoneRemoval } from "./service.ts";
