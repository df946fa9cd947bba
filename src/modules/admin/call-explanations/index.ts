import { defineModule } from "../../kernel/module.ts";
import { callExplanationOperations } from "./operations.ts";

export const callExplanationsModule = defineModule({
  name: "call-explanations",
  tag: "Monitoring",
  operations: callExplanationOperations,
});
