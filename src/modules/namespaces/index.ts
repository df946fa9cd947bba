export { type FormerPathRecord, formerPaths, type NamespaceRecord, namespaces, placeKey } from "./collection.ts";
export {
  type AvatarRecord,
  type GroupRecord,
  type GroupSettings,
  groupSettingsOf,
  groups,
  initialGroupSettings,
  nameKey,
} from "./groups.ts";
export { presentProjectIdentity } from "./identity.ts";
export {
  type FeatureLevel,
  initialProjectSettings,
  type OverrideRole,
  overrideRoles,
  type ProjectFeature,
  type ProjectRecord,
  type ProjectSettings,
  type ProjectStatistics,
  projectFeatures,
  projectSettingsOf,
  projects,
} from "./projects.ts";
export { findGroups, type GroupSearch, searchGroups } from "./search.ts";
export { GroupStatistics, growProject, projectStatisticsOf } from "./statistics.ts";
export {
  createPersonalNamespace,
  findGroupByPath,
  findMovedProject,
  findNamespaceByPath,
  findProjectByPath,
  fullNameOf,
  fullPathOf,
  hideProject,
  insertGroup,
  isPlaceTaken,
  moveNamespace,
  namespaceAt,
  projectNameOf,
  projectPathOf,
  projectsBelow,
  removeNamespace,
  removeProject,
  selfAndAncestors,
  selfAndDescendants,
  updateGroup,
  updateProject,
} from "./tree.ts";
