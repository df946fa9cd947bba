export { labelOperations } from "./operations.ts";
export { projectLabelRemoval, removeLabelsOf } from "./removal.ts";
