import { defineModule } from "../../kernel/module.ts";
import { Quotas } from "../../kernel/storage-quotas.ts";
import { groupDeleted, placeTransferred, projectDeleted } from "./events.ts";
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
  events: [projectDeleted, groupDeleted, placeTransferred],
});
