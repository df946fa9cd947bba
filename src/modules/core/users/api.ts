/** The operations of the module, in the order of the API reference. */

import { avatarOperations } from "./avatar/operations.ts";
import { emailOperations } from "./emails/operations.ts";
import { profileOperations } from "./operations.ts";
import { userCustomAttributeOperations } from "./operations-custom-attributes.ts";
import { followOperations } from "./operations-follow.ts";
import { stateOperations } from "./states/operations.ts";

export const operations = {
  Users: [...profileOperations, ...stateOperations, ...emailOperations, ...avatarOperations, ...followOperations],
  "Custom attributes": userCustomAttributeOperations,
};
