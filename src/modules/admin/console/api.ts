/** The operations of the module, in the order of the API reference. */

import { consoleOperations } from "./operations.ts";
import { liveOperations } from "./operations-live.ts";

export const operations = { Monitoring: liveOperations, Console: consoleOperations };
