import { defineModule } from "../../kernel/module.ts";
import { visibilityNarrowing } from "./lower-visibility.ts";
import { groupOperations } from "./operations.ts";
import { groupDeletion } from "./remove.ts";

export { recordGroupEvent } from "./audit.ts";
export { addFirstOwner } from "./create.ts";
export { groupOwnRemoval } from "./own-removal.ts";
export { presentGroup, presentGroupDetail } from "./present.ts";
export { Group, GroupDetail } from "./schema.ts";
export { soleOwnerRemoval } from "./user-removal.ts";

export const groupsModule = defineModule({
  name: "groups",
  tag: "Groups",
  operations: groupOperations,
  jobs: [groupDeletion, visibilityNarrowing],
});
