export { accessRequestOperations } from "./operations.ts";
