export { referenceOperations } from "./operations.ts";
