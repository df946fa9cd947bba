export { insertMember, nobody, removeMember, updateMember } from "./changes.ts";
export { membershipExpiry } from "./expiry.ts";
export { memberOperations } from "./operations.ts";
export { managingLevels, refuseManaging } from "./policy.ts";
export { memberPresenter, presentMember } from "./present.ts";
export { findRow } from "./rows.ts";
export { checkDraft } from "./rules.ts";
export { Member, userInPath } from "./schema.ts";
