/** The operations of the module, in the order of the API reference. */

import { tokenOperations } from "./operations.ts";
import { runOperations } from "./operations-run.ts";

export const operations = [...tokenOperations, ...runOperations];
