import { defineModule } from "../../kernel/module.ts";

export const accessRequestsModule = defineModule({
  name: "access-requests",
  tag: "Access requests",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).accessRequestOperations,
});
