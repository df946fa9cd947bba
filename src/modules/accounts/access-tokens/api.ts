/** The operations of the module, in the order of the API reference. */

import { accessTokenOperations } from "./operations.ts";
import { impersonationTokenOperations } from "./operations-impersonation.ts";

export const operations = {
  "Personal access tokens": accessTokenOperations,
  "Impersonation tokens": impersonationTokenOperations,
};
