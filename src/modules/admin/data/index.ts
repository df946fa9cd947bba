import { defineModule } from "../../kernel/module.ts";

export const dataModule = defineModule({
  name: "data",
  tag: "Monitoring",
  areas: ["-/data"],
  operations: async () => (await import("./operations.ts")).dataOperations,
  samples: async () => (await import("./samples.ts")).dataSamples,
});
