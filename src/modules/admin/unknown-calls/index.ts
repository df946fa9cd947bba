import { defineModule } from "../../kernel/module.ts";
import { UnknownCalls } from "./service.ts";

export { UnknownCalls } from "./service.ts";

export const unknownCallsModule = defineModule({
  name: "unknown-calls",
  tag: "Monitoring",
  about: { Monitoring: "Health, metrics, background jobs, and calls that no operation answers." },
  areas: ["-/unknown-calls"],
  operations: async () => (await import("./operations.ts")).unknownCallOperations,
  services: [UnknownCalls],
});
