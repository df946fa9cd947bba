/** The operations of the module, in the order of the API reference. */

import { distributionOperations } from "./distribution/operations.ts";
import { uploadOperations } from "./distribution/operations-uploads.ts";
import { registryOperations } from "./operations.ts";

export const operations = [...registryOperations, ...distributionOperations, ...uploadOperations];
