import { defineModule } from "../../kernel/module.ts";
import { sandboxClocks } from "./records.ts";

export { followStoredClock, sandboxOf } from "./service.ts";

export const sandboxClockModule = defineModule({
  name: "sandbox-clock",
  tag: "Sandbox",
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).clockOperations,
  samples: async () => (await import("./samples.ts")).clockSamples,
  collections: [sandboxClocks],
});
