export { groupProjectOperations } from "./operations.ts";
