import { defineModule } from "../../kernel/module.ts";
import { clockOperations } from "./operations.ts";
import { sandboxClocks } from "./records.ts";

export { followStoredClock, sandboxOf } from "./service.ts";

export const sandboxClockModule = defineModule({
  name: "sandbox-clock",
  tag: "Sandbox",
  operations: clockOperations,
  collections: [sandboxClocks],
});
