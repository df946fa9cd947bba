import { defineModule } from "../../kernel/module.ts";

export const userCountsModule = defineModule({
  name: "user-counts",
  tag: "Users",
  areas: ["user_counts"],
  operations: async () => (await import("./operations.ts")).userCountsOperations,
});
