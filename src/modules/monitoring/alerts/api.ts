/** The operations of the module, in the order of the API reference. */

import { integrationOperations } from "./integrations/operations.ts";
import { alertOperations } from "./operations-alerts.ts";
import { receiverOperations } from "./receiving/operations.ts";
import { alertSettingsOperations } from "./settings/operations.ts";

export const operations = [
  ...receiverOperations,
  ...integrationOperations,
  ...alertOperations,
  ...alertSettingsOperations,
];
