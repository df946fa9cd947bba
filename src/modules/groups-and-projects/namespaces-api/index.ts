import { defineModule } from "../../kernel/module.ts";
import { namespaceOperations } from "./operations.ts";

export const namespacesApiModule = defineModule({
  name: "namespaces-api",
  tag: "Namespaces",
  operations: namespaceOperations,
});
