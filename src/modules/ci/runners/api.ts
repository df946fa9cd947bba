/** The operations of the module, in the order of the API reference. */

import { registrationOperations } from "./operations.ts";
import { runnerListOperations } from "./operations-list.ts";
import { manageOperations } from "./operations-manage.ts";

export const operations = [...registrationOperations, ...runnerListOperations, ...manageOperations];
