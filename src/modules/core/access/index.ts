import { defineModule } from "../../kernel/module.ts";
import { Access } from "./access.ts";
import { memberRemoved } from "./events.ts";
import { jobTokenLinks } from "./job-token-links.ts";
import { groupLinks, memberships } from "./memberships.ts";
import { accessRequests } from "./requests.ts";

export { Access, AccessPolicy } from "./access.ts";
export { authorizeSource, getGroup, getProject, getProjectForAnybody, levelIn, requireLevel } from "./authorize.ts";
export { type EffectiveMembership, membershipOriginsOf, membershipThrough } from "./effective-memberships.ts";
export { memberRemoved } from "./events.ts";
export { canReadCode, canSeeFeature } from "./features.ts";
export { hiddenLinksOf } from "./hidden-links.ts";
export { type JobTokenLinkRecord, jobTokenLinks, jobTokenPair } from "./job-token-links.ts";
export { isJobTokenAllowed } from "./job-token-policy.ts";
export type { MemberList, MemberListFilter } from "./member-list.ts";
export {
  type GroupLinkRecord,
  groupLinks,
  holderKey,
  isExpired,
  type MembershipRecord,
  memberships,
  type SourceRef,
  sourceKey,
  watchSources,
} from "./memberships.ts";
export { hasNoOwnerWithout, isLastOwner, listGroupsOwnedAlone, type OwnerSpan } from "./owners.ts";
export { removeAccessOf, removeAccessTo } from "./removal.ts";
export { type AccessRequestRecord, accessRequests } from "./requests.ts";
export { linksInto, presentSharedWithGroups, projectsSharedWith } from "./shares.ts";
export { findSource, namespacesOf, recordOf, refOf, type Source, sourcePathOf } from "./source.ts";
export { forGroupsAndProjects, inGroup, inProject } from "./who.ts";

export const accessModule = defineModule({
  name: "access",
  services: [Access],
  collections: [memberships, groupLinks, accessRequests, jobTokenLinks],
  events: [memberRemoved],
});
