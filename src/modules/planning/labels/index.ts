import { defineModule } from "../../kernel/module.ts";
import { labelOperations } from "./operations.ts";

export { setPriority } from "./priorities.ts";
export { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";

export const labelsModule = defineModule({
  name: "labels",
  tag: "Labels",
  operations: labelOperations,
});
