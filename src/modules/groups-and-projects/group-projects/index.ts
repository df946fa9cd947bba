import { defineModule } from "../../kernel/module.ts";
import { groupProjectOperations } from "./operations.ts";

export const groupProjectsModule = defineModule({
  name: "group-projects",
  tag: "Groups",
  operations: groupProjectOperations,
});
