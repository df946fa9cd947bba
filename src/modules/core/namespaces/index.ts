import { defineModule } from "../../kernel/module.ts";
import { Quotas } from "../../kernel/storage-quotas.ts";
import { groupDeleted, placeTransferred, projectDeleted } from "./events.ts";
import { formerPaths, namespaces } from "./records.ts";
import { groups } from "./records-groups.ts";
import { projects } from "./records-projects.ts";
import { GroupStatistics } from "./service-statistics.ts";

export { type Chunks, Quotas, type StorageOwner } from "../../kernel/storage-quotas.ts";
export {
  deletedWithProject,
  groupDeleted,
  groupRemoval,
  placeTransferred,
  projectDeleted,
  projectRemoval,
} from "./events.ts";
export { presentProjectIdentity } from "./present.ts";
export { formerPaths, type NamespaceRecord, namespaces, pathKey } from "./records.ts";
export { type ExpirationPolicy, initialExpirationPolicy } from "./records-expiration-policy.ts";
export {
  type AvatarRecord,
  type GroupRecord,
  type GroupSettings,
  groupSettingsOf,
  groups,
  initialGroupSettings,
  nameKey,
} from "./records-groups.ts";
export {
  type FeatureLevel,
  initialProjectSettings,
  overrideRoles,
  type ProjectFeature,
  type ProjectRecord,
  type ProjectSettings,
  processModes,
  projectFeatures,
  projectSettingOf,
  projectSettingsOf,
  projects,
} from "./records-projects.ts";
export { findByRunnersToken, shownRunnersToken } from "./service-runners-token.ts";
export { matchGroups, searchGroups } from "./service-search.ts";
export {
  addToStatistics,
  GroupStatistics,
  growStatistics,
  projectStatisticsOf,
  subtractFromStatistics,
} from "./service-statistics.ts";
export {
  ancestorsMax,
  findGroupByPath,
  findMovedProject,
  findNamespace,
  findNamespaceByPath,
  findProjectByPath,
  fullNameOf,
  fullPathOf,
  hideProject,
  insertGroup,
  insertPersonalNamespace,
  isPathTaken,
  moveNamespace,
  projectNameOf,
  projectPathOf,
  projectsBelow,
  removeNamespace,
  removeProject,
  selfAndAncestors,
  selfAndDescendants,
  updateGroupRecord,
  updateProjectRecord,
} from "./service-tree.ts";

export const namespacesModule = defineModule({
  name: "namespaces",
  services: [GroupStatistics, Quotas],
  collections: [namespaces, formerPaths, groups, projects],
  events: [projectDeleted, groupDeleted, placeTransferred],
});
