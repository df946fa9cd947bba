import { defineModule } from "../../kernel/module.ts";
import { tokenAssociationOperations, userAssociationOperations } from "./operations.ts";

export const associationsModule = defineModule({
  name: "associations",
  operations: {
    Users: userAssociationOperations,
    "Personal access tokens": tokenAssociationOperations,
  },
});
