export { findRow } from "./direct-memberships.ts";
export { membershipExpiry } from "./expiry.ts";
export { checkDraft } from "./levels.ts";
export { insertMember, nobody, removeMember, updateMember } from "./membership-store.ts";
export { memberOperations } from "./operations.ts";
export { managingLevels, refuseManaging } from "./policy.ts";
export { memberPresenter, presentMember } from "./present.ts";
export { Member, userInPath } from "./schema.ts";
