import { defineModule } from "../../kernel/module.ts";
import { instanceOperations } from "./operations.ts";

export const instanceModule = defineModule({
  name: "instance",
  tag: "Monitoring",
  operations: instanceOperations,
});
