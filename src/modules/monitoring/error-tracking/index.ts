import type { Operation } from "../../kernel/operation.ts";
import { collectorOperations } from "./collector-operations.ts";
import { trackedErrorOperations } from "./error-operations.ts";
import { errorTrackingSettingOperations } from "./operations.ts";

export { insertClientKey } from "./client-keys.ts";
export { insertEvent } from "./collector.ts";
export { clientKeys, errorEvents, errorPayloads, errorTrackingSettings, trackedErrors } from "./records.ts";
export { errorTrackingRemoval } from "./removal.ts";

export const errorTrackingOperations: readonly Operation[] = [
  ...errorTrackingSettingOperations,
  ...trackedErrorOperations,
  ...collectorOperations,
];
