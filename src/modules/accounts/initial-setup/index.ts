import { defineModule } from "../../kernel/module.ts";
import { initialSetup } from "./records.ts";

export { createInitialAdmin, type FirstStart, getInitialAdmin } from "./service.ts";

export const initialSetupModule = defineModule({
  name: "initial-setup",
  collections: [initialSetup],
});
