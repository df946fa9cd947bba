export { recordGroupEvent } from "./audit.ts";
export { addFirstOwner, mayCreateGroup } from "./create.ts";
export { visibilityNarrowing } from "./narrowing.ts";
export { groupOperations } from "./operations.ts";
export { groupOwnRemoval } from "./own-removal.ts";
export { groupAvatarUrl, presentGroup, presentGroupDetail } from "./present.ts";
export { acceptDeletion, groupDeletion } from "./remove.ts";
export { Group, GroupDetail } from "./schema.ts";
export { soleOwnerRemoval } from "./user-removal.ts";
