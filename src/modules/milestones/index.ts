export { milestoneOperations } from "./operations.ts";
export { getMilestone, projectMilestoneRemoval, removeMilestonesOf } from "./service.ts";
