export { userCountsOperations } from "./operations.ts";
