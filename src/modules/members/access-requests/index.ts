import { defineModule } from "../../kernel/module.ts";
import { accessRequestOperations } from "./operations.ts";

export const accessRequestsModule = defineModule({
  name: "access-requests",
  tag: "Access requests",
  operations: accessRequestOperations,
});
