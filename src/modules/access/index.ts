export { Access } from "./access.ts";
export { admitToSource, getGroup, getProject, levelIn, refuseBelow } from "./admission.ts";
export {
  type GroupLinkRecord,
  groupLinks,
  holderKey,
  isOver,
  type MembershipRecord,
  memberships,
  type SourceRef,
  sourceKey,
} from "./memberships.ts";
export { linksInto, presentSharedWithGroups, projectsSharedWith } from "./shares.ts";
export { type Channel, channelsInto, type Way, wayThrough } from "./ways.ts";
