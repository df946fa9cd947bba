/** The operations of the module, in the order of the API reference. */

import { packageRegistryOperations } from "./operations.ts";
import { genericOperations } from "./operations-generic.ts";

export const operations = [...packageRegistryOperations, ...genericOperations];
