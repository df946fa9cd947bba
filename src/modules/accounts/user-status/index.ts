export { userStatuses } from "./collection.ts";
export { userStatusOperations } from "./operations.ts";
export { removeStatusOf } from "./service.ts";
