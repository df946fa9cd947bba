import { defineModule } from "../../kernel/module.ts";
import { visibilityLowering } from "./lower-visibility.ts";
import { groupOperations } from "./operations.ts";
import { groupOwnRemoval } from "./own-removal.ts";
import { groupDeletion } from "./service-delete.ts";
import { soleOwnerRefusal, soleOwnerRemoval } from "./user-removal.ts";

export { recordGroupEvent } from "./audit.ts";
export { presentGroup, presentGroupDetail } from "./present.ts";
export { Group, GroupDetail } from "./schema.ts";
export { insertFirstOwner } from "./service-create.ts";

export const groupsModule = defineModule({
  name: "groups",
  tag: "Groups",
  operations: groupOperations,
  jobs: [groupDeletion, visibilityLowering],
  on: [groupOwnRemoval, soleOwnerRefusal, soleOwnerRemoval],
});
