/** The operations of the module, in the order of the API reference. */

import { jobRunOperations } from "./operations.ts";
import { runnerJobOperations } from "./operations-jobs.ts";

export const operations = [...jobRunOperations, ...runnerJobOperations];
