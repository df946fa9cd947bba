import { defineModule } from "../../kernel/module.ts";
import { referenceOperations } from "./operations.ts";

export const apiReferenceModule = defineModule({
  name: "api-reference",
  tag: "API reference",
  operations: referenceOperations,
});
