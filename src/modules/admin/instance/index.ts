import { defineModule } from "../../kernel/module.ts";

export const instanceModule = defineModule({
  name: "instance",
  tag: "Monitoring",
  areas: ["-/attention", "-/settings"],
  operations: async () => (await import("./operations.ts")).instanceOperations,
});
