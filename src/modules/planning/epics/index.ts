import { issueOperations } from "./issue-operations.ts";
import { singleOperations } from "./operations.ts";

export { nextEpicIid } from "./create.ts";
export { epicGroupRemoval, epicRemoval } from "./delete.ts";
export { epicUserRemoval } from "./user-removal.ts";

export const epicOperations = [...singleOperations, ...issueOperations];
