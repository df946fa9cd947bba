import { defineModule } from "../../kernel/module.ts";
import { installation } from "./records.ts";

export { installation } from "./records.ts";
export { createInitialAdmin, type FirstStart } from "./service.ts";

export const initialSetupModule = defineModule({
  name: "initial-setup",
  collections: [installation],
});
