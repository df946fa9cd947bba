export { jobTokenScopeOperations } from "./operations.ts";
export { jobTokenGroupRemoval, jobTokenProjectRemoval } from "./removal.ts";
