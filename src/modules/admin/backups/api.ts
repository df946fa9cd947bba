/** The operations of the module, in the order of the API reference. */

import { backupOperations } from "./operations.ts";
import { backupFolderOperations } from "./operations-folder.ts";

export const operations = [...backupOperations, ...backupFolderOperations];
