import { defineModule } from "../../kernel/module.ts";
import { groupDeleted, projectDeleted } from "./events.ts";
import { groups } from "./groups.ts";
import { projects } from "./projects.ts";
import { formerPaths, namespaces } from "./records.ts";
import { GroupStatistics } from "./statistics.ts";
import { Quotas } from "./storage-quotas.ts";

export { deletedWithProject, groupDeleted, groupRemoval, projectDeleted, projectRemoval } from "./events.ts";
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
  overrideRoles,
  type ProjectFeature,
  type ProjectRecord,
  type ProjectSettings,
  projectFeatures,
  projectSettingsOf,
  projects,
} from "./projects.ts";
export { formerPaths, type NamespaceRecord, namespaces, pathKey } from "./records.ts";
export { findByRunnersToken, shownRunnersToken } from "./runners-token.ts";
export { matchGroups, searchGroups } from "./search.ts";
export { addToStatistics, GroupStatistics, projectStatisticsOf, subtractFromStatistics } from "./statistics.ts";
export { type Chunks, Quotas } from "./storage-quotas.ts";
export {
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
} from "./tree.ts";

export const namespacesModule = defineModule({
  name: "namespaces",
  services: [GroupStatistics, Quotas],
  collections: [namespaces, formerPaths, groups, projects],
  events: [projectDeleted, groupDeleted],
});
