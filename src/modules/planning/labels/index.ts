import { defineModule } from "../../kernel/module.ts";
import { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";

export { updatePriority } from "./service-priorities.ts";

export const labelsModule = defineModule({
  name: "labels",
  tag: "Labels",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).labelOperations,
  on: [projectLabelRemoval, groupLabelRemoval],
});
