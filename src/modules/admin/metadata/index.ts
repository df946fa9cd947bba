export { metadataOperations } from "./operations.ts";
