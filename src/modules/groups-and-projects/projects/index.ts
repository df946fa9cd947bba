import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { actionOperations } from "./archive-star-operations.ts";
import { importAddressCleaning } from "./import-addresses.ts";
import { listOperations } from "./lists/list-operations.ts";
import { recordOperations } from "./operations.ts";
import { projectOwnRemoval } from "./removal/own-removal.ts";
import { projectDeletion } from "./removal/remove.ts";
import { projectUserRemoval } from "./removal/user-removal.ts";
import { projectStars } from "./stars.ts";
import { peopleOperations } from "./users/project-users-operations.ts";

export { changeOf, recordProjectEvent } from "./audit.ts";
export { insertNamespaceOwner } from "./create.ts";
export { listGroupProjects } from "./lists/list.ts";
export { type ProjectCondition, projectsIn } from "./lists/search.ts";
export { ListGroupProjects } from "./parameters.ts";
export { presentProjectNamespace, presentSimpleProject } from "./present.ts";
export { projectPresenter } from "./present-project.ts";
export { projectDeletion, removeProjectPart } from "./removal/remove.ts";
export { AnyProject, ProjectIdentity, ProjectNamespace, SharedWithGroup } from "./schema.ts";
export { mergeSettings } from "./settings.ts";
export { projectStars } from "./stars.ts";
export { transferProject } from "./transfer.ts";

export const projectsModule = defineModule({
  name: "projects",
  tag: "Projects",
  operations: [...listOperations, ...recordOperations, ...actionOperations, ...peopleOperations],
  collections: [projectStars],
  jobs: [projectDeletion],
  cron: [importAddressCleaning],
  on: [deletedWithProject(projectStars), projectOwnRemoval, projectUserRemoval],
});
