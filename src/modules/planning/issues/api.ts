/** The operations of the module, in the order of the API reference. */

import { singleOperations } from "./operations.ts";
import { listOperations } from "./operations-list.ts";
import { subscriptionOperations } from "./operations-subscriptions.ts";
import { timeOperations } from "./time/operations.ts";

export const operations = [...listOperations, ...singleOperations, ...subscriptionOperations, ...timeOperations];
