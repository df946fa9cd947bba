export { userStatusOperations } from "./operations.ts";
export { userStatuses } from "./records.ts";
export { removeStatusOf } from "./service.ts";
