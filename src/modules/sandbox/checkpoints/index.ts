import { defineModule } from "../../kernel/module.ts";

export { endInterrupted, ensureFirstState, hasFirstState, undoneIfRefused } from "./service.ts";

export const checkpointsModule = defineModule({
  name: "checkpoints",
  tag: "Sandbox",
  about: { Sandbox: "Checkpoints, fixtures and the clock of a server that was started with --sandbox." },
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).checkpointOperations,
  samples: async () => (await import("./samples.ts")).checkpointSamples,
});
