import { actionOperations } from "./action-operations.ts";
import { listOperations } from "./list-operations.ts";
import { recordOperations } from "./operations.ts";
import { peopleOperations } from "./people-operations.ts";

export { changeOf, recordProjectEvent } from "./audit.ts";
export { ensureNamespaceOwner } from "./create.ts";
export { listGroupProjects } from "./list.ts";
export { projectOwnRemoval } from "./own-removal.ts";
export { ListGroupProjects } from "./parameters.ts";
export { presentProjectNamespace, presentSimpleProject } from "./present.ts";
export { type PresentOptions, presentListedProject, presentProject } from "./present-whole.ts";
export { acceptProjectDeletion, projectDeletion, removeProjectPart } from "./remove.ts";
export { mayCreateProjectsIn } from "./rights.ts";
export { AnyProject, Project, ProjectIdentity, ProjectNamespace, SharedWithGroup, SimpleProject } from "./schema.ts";
export { type ProjectCondition, projectsIn } from "./search.ts";
export { mergeSettings } from "./settings.ts";
export { projectStarRemoval, projectStars } from "./stars.ts";
export { transferProject } from "./transfer.ts";
export { projectUserRemoval } from "./user-removal.ts";

export const projectOperations = [...listOperations, ...recordOperations, ...actionOperations, ...peopleOperations];
