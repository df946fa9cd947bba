import { defineModule } from "../../kernel/module.ts";
import { membershipExpiry } from "./expiry.ts";
import { HierarchyMembers } from "./hierarchy-members.ts";
import { memberOperations } from "./operations.ts";

export { findRow } from "./direct-memberships.ts";
export { checkDraft } from "./levels.ts";
export { insertMember, nobody, removeMember, updateMember } from "./membership-store.ts";
export { managingLevels, refuseManaging } from "./policy.ts";
export { memberPresenter, presentMember } from "./present.ts";
export { Member, userInPath } from "./schema.ts";

export const membersModule = defineModule({
  name: "members",
  tag: "Members",
  operations: memberOperations,
  services: [HierarchyMembers],
  cron: [membershipExpiry],
});
