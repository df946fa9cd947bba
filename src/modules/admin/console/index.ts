import { defineModule } from "../../kernel/module.ts";
import { consoleOperations } from "./operations.ts";

export const consoleModule = defineModule({
  name: "console",
  tag: "Console",
  operations: consoleOperations,
});
