import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { EventCheck } from "./event-shape.ts";
import { ReportRate } from "./rate.ts";
import { clientKeys, errorEvents, errorPayloads, errorTrackingSettings, trackedErrors } from "./records.ts";
import { errorTrackingSettingsRemoval } from "./removal.ts";

export { readDocument } from "./documents.ts";
export { insertClientKey } from "./service-client-keys.ts";
export { collectEvent, insertEvent } from "./service-collector.ts";
export { getEvent } from "./service-errors.ts";

export const errorTrackingModule = defineModule({
  name: "error-tracking",
  tag: "Error tracking",
  about: { "Error tracking": "Errors that applications report, and the keys with which they report them." },
  areas: ["error_tracking", "projects"],
  operations: async () => {
    const [{ errorTrackingSettingOperations }, { collectorOperations }, { trackedErrorOperations }] = await Promise.all(
      [import("./operations.ts"), import("./operations-collector.ts"), import("./operations-errors.ts")],
    );
    return [...errorTrackingSettingOperations, ...trackedErrorOperations, ...collectorOperations];
  },
  samples: async () => (await import("./samples.ts")).errorTrackingSamples,
  services: [EventCheck, ReportRate],
  collections: [errorTrackingSettings, clientKeys, trackedErrors, errorEvents, errorPayloads],
  // Events are entries of a log, which stay: they cannot be found without their error, and large payloads are removed.
  on: [
    errorTrackingSettingsRemoval,
    deletedWithProject(clientKeys),
    deletedWithProject(errorPayloads),
    deletedWithProject(trackedErrors),
  ],
});
