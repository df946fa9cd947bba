import { defineModule } from "../../kernel/module.ts";
import { monitoringOperations } from "./operations.ts";

export { notReady } from "./health.ts";

export const healthModule = defineModule({
  name: "health",
  tag: "Monitoring",
  operations: monitoringOperations,
});
