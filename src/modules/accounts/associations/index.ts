export { tokenAssociationOperations, userAssociationOperations } from "./operations.ts";
