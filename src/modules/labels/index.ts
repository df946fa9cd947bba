export { labelOperations } from "./operations.ts";
export { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";
