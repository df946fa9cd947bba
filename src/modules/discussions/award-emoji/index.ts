export { awardOperations } from "./operations.ts";
export { awardUserRemoval } from "./user-removal.ts";
