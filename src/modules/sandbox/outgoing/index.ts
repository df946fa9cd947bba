import { defineModule } from "../../kernel/module.ts";
import { outgoingOperations } from "./operations.ts";

export const sandboxOutgoingModule = defineModule({
  name: "sandbox-outgoing",
  tag: "Sandbox",
  operations: outgoingOperations,
});
