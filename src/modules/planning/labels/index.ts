export { labelOperations } from "./operations.ts";
export { setPriority } from "./priorities.ts";
export { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";
