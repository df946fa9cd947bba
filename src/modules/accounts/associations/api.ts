/** The operations of the module, in the order of the API reference. */

import { tokenAssociationOperations, userAssociationOperations } from "./operations.ts";

export const operations = {
  Users: userAssociationOperations,
  "Personal access tokens": tokenAssociationOperations,
};
