import { defineModule } from "../../kernel/module.ts";
import { visibilityLowering } from "./lower-visibility.ts";
import { groupOwnRemoval } from "./own-removal.ts";
import { groups } from "./records.ts";
import { groupDeletion } from "./service-delete.ts";
import { soleOwnerRefusal, soleOwnerRemoval } from "./user-removal.ts";

export { recordGroupEvent } from "./audit.ts";
export { presentGroup, presentGroupDetail } from "./present.ts";
export { Group, GroupDetail } from "./schema.ts";
export { insertFirstOwner } from "./service-create.ts";

export const groupsModule = defineModule({
  name: "groups",
  tag: "Groups",
  about: { Groups: "Groups, which contain projects and other groups." },
  areas: ["groups", "uploads"],
  operations: async () => (await import("./operations.ts")).groupOperations,
  samples: async () => (await import("./samples.ts")).groupSamples,
  collections: [groups],
  jobs: [groupDeletion, visibilityLowering],
  on: [groupOwnRemoval, soleOwnerRefusal, soleOwnerRemoval],
});
