import { defineModule } from "../../kernel/module.ts";
import { labelOperations } from "./operations.ts";
import { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";

export { updatePriority } from "./service-priorities.ts";

export const labelsModule = defineModule({
  name: "labels",
  tag: "Labels",
  operations: labelOperations,
  on: [projectLabelRemoval, groupLabelRemoval],
});
