import { defineModule } from "../../kernel/module.ts";
import { RequestLoad } from "../../kernel/request-load.ts";

export { notReady } from "./health.ts";

export const healthModule = defineModule({
  name: "health",
  tag: "Monitoring",
  areas: ["-/health", "-/liveness", "-/metrics", "-/readiness"],
  operations: async () => (await import("./operations.ts")).monitoringOperations,
  services: [RequestLoad],
});
