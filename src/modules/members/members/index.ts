import { defineModule } from "../../kernel/module.ts";
import { membershipExpiry } from "./expiry.ts";
import { HierarchyMembers } from "./hierarchy-members.ts";
import { memberships } from "./records.ts";

export { validateDraft } from "./levels.ts";
export { managingLevels, requireMemberManager, requireMemberReader, requireUnlockedMembership } from "./policy.ts";
export { memberView, presentMember } from "./present.ts";
export { Member, userInPath } from "./schema.ts";
export { findMembership } from "./service-direct-memberships.ts";
export { insertMembership, removeMembership, updateMembership } from "./service-memberships.ts";

export const membersModule = defineModule({
  name: "members",
  tag: "Members",
  about: { Members: "Members of groups and projects, and their roles." },
  areas: ["groups", "projects", "users"],
  operations: async () => (await import("./operations.ts")).memberOperations,
  samples: async () => (await import("./samples.ts")).memberSamples,
  collections: [memberships],
  services: [HierarchyMembers],
  cron: [membershipExpiry],
});
