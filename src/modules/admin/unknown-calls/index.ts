import { defineModule } from "../../kernel/module.ts";
import { unknownCallOperations } from "./operations.ts";
import { UnknownCalls } from "./service.ts";

export { UnknownCalls } from "./service.ts";

export const unknownCallsModule = defineModule({
  name: "unknown-calls",
  tag: "Monitoring",
  operations: unknownCallOperations,
  services: [UnknownCalls],
});
