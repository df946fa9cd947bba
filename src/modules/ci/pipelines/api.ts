/** The operations of the module, in the order of the API reference. */

import { ciJobOperations } from "./jobs/operations.ts";
import { artifactOperations } from "./jobs/operations-artifacts.ts";
import { changeOperations } from "./jobs/operations-changes.ts";
import { traceOperations } from "./jobs/operations-trace.ts";
import { readOperations } from "./operations.ts";

export const operations = [
  ...readOperations,
  ...changeOperations,
  ...ciJobOperations,
  ...traceOperations,
  ...artifactOperations,
];
