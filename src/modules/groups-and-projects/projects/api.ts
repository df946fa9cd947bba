/** The operations of the module, in the order of the API reference. */

import { listOperations } from "./lists/operations.ts";
import { recordOperations } from "./operations.ts";
import { actionOperations } from "./operations-archive-star.ts";
import { projectUserOperations } from "./users/operations.ts";

export const operations = [...listOperations, ...recordOperations, ...actionOperations, ...projectUserOperations];
