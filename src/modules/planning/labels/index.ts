import { defineModule } from "../../kernel/module.ts";
import { labelEvents } from "./events.ts";
import { labelPriorities, labels } from "./records.ts";
import { groupLabelRemoval, projectLabelRemoval } from "./removal.ts";

export { labelEvents } from "./events.ts";
export { presentLabelDetails } from "./present.ts";
export { Label } from "./schema.ts";
export { withoutRivals } from "./scoped-labels.ts";
export { updatePriority } from "./service-priorities.ts";
export { findLabel, findOrInsertLabels, insertLabel, labelTitleLengthMax, resolveLabels } from "./service-sets.ts";

export const labelsModule = defineModule({
  name: "labels",
  tag: "Labels",
  about: { Labels: "Labels of groups and projects." },
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).labelOperations,
  samples: async () => (await import("./samples.ts")).labelSamples,
  collections: [labels, labelPriorities],
  events: labelEvents.all,
  on: [projectLabelRemoval, groupLabelRemoval],
});
