export { recordGroupEvent } from "./audit.ts";
export { addFirstOwner } from "./create.ts";
export { visibilityNarrowing } from "./lower-visibility.ts";
export { groupOperations } from "./operations.ts";
export { groupOwnRemoval } from "./own-removal.ts";
export { presentGroup, presentGroupDetail } from "./present.ts";
export { groupDeletion } from "./remove.ts";
export { Group, GroupDetail } from "./schema.ts";
export { soleOwnerRemoval } from "./user-removal.ts";
