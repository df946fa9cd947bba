import { defineModule } from "../../kernel/module.ts";
import { dataOperations } from "./operations.ts";

export const dataModule = defineModule({
  name: "data",
  tag: "Monitoring",
  operations: dataOperations,
});
