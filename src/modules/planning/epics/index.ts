import { defineModule } from "../../kernel/module.ts";
import { epicGroupRemoval, epicRemoval } from "./delete.ts";
import { epicCreated } from "./events.ts";
import { issueOperations } from "./issue-operations.ts";
import { singleOperations } from "./operations.ts";
import { epicUserRemoval } from "./user-removal.ts";

export { nextEpicIid } from "./create.ts";
export { type EpicCreated, epicCreated } from "./events.ts";

export const epicsModule = defineModule({
  name: "epics",
  tag: "Epics",
  operations: [...singleOperations, ...issueOperations],
  jobs: [epicRemoval],
  events: [epicCreated],
  on: [epicGroupRemoval, epicUserRemoval],
});
