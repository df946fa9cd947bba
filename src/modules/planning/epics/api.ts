/** The operations of the module, in the order of the API reference. */

import { singleOperations } from "./operations.ts";
import { issueOperations } from "./operations-issues.ts";

export const operations = [...singleOperations, ...issueOperations];
