export { namespaceOperations } from "./operations.ts";
