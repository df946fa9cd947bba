/** The operations of the module, in the order of the API reference. */

import { errorTrackingSettingOperations } from "./operations.ts";
import { collectorOperations } from "./operations-collector.ts";
import { trackedErrorOperations } from "./operations-errors.ts";

export const operations = [...errorTrackingSettingOperations, ...trackedErrorOperations, ...collectorOperations];
