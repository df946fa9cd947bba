import { defineModule } from "../../kernel/module.ts";
import { epicRemoval } from "./delete.ts";
import { issueOperations } from "./issue-operations.ts";
import { singleOperations } from "./operations.ts";

export { nextEpicIid } from "./create.ts";
export { epicGroupRemoval } from "./delete.ts";
export { epicUserRemoval } from "./user-removal.ts";

export const epicsModule = defineModule({
  name: "epics",
  tag: "Epics",
  operations: [...singleOperations, ...issueOperations],
  jobs: [epicRemoval],
});
