import { defineModule } from "../../kernel/module.ts";
import { Quotas } from "../../kernel/storage-quotas.ts";
import { groupEvents, groupRemovalStep, projectEvents, projectRemovalStep } from "./events.ts";
import { GroupStatistics } from "./service-statistics.ts";

export { type Chunks, Quotas, type StorageOwner } from "../../kernel/storage-quotas.ts";
export {
  deletedWithProject,
  groupEvents,
  groupRemoval,
  groupRemovalStep,
  projectEvents,
  projectRemoval,
  projectRemovalStep,
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
  events: [...projectEvents.all, ...groupEvents.all, projectRemovalStep, groupRemovalStep],
});
