import { defineModule } from "../../kernel/module.ts";
import { accessRequestEvents, memberEvents } from "./events.ts";
import { Access } from "./service.ts";

export {
  type EffectiveMembership,
  membershipOriginsOf,
  membershipThrough,
  ownMembershipOriginsOf,
} from "./effective-memberships.ts";
export { accessRequestEvents, memberEvents } from "./events.ts";
export { hiddenLinksOf } from "./hidden-links.ts";
export type { MemberList, MemberListFilter } from "./member-list.ts";
export { canReadConfidentialEpics, canReadEpic } from "./policy-epics.ts";
export { canReadCode, canReadGroup, canReadPlans, canSeeFeature } from "./policy-features.ts";
export { isJobTokenAllowed } from "./policy-job-token.ts";
export { Access, AccessPolicy } from "./service.ts";
export {
  authorizeSource,
  findSourceByIdOrPath,
  getGroup,
  getProject,
  getProjectForAnyCaller,
  levelIn,
  requireLevel,
  requireUnarchived,
} from "./service-authorize.ts";
export { findGroupOwnedAlone, hasNoOwnerWithout, isLastOwner, type OwnerSpan } from "./service-owners.ts";
export { removeAccessOf, removeAccessTo } from "./service-removal.ts";
export { linksInto, presentSharedWithGroups, projectsSharedWith } from "./service-shares.ts";
export {
  findSource,
  groupsAbove,
  namespacesOf,
  recordOf,
  refOf,
  type Source,
  sourcePathOf,
  sourcesAbove,
  watchSources,
} from "./service-source.ts";
export { canSeeGroup, visibleGroupsBelow, visibleProjectsIn } from "./visible-sources.ts";
export { forGroupsAndProjects, inGroup, inProject } from "./who.ts";

export const accessModule = defineModule({
  name: "access",
  services: [Access],
  events: [...memberEvents.all, ...accessRequestEvents.all],
});
