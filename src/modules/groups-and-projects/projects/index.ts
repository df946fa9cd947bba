import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { ProjectSettingFields } from "./present-settings.ts";
import { projects } from "./records.ts";
import { projectStars } from "./records-stars.ts";
import { projectOwnRemoval } from "./removal/own-removal.ts";
import { projectDeletion } from "./removal/service-delete.ts";
import { projectUserRemoval } from "./removal/user-removal.ts";
import { projectByPush } from "./service-create.ts";

export { changeOf, recordProjectEvent } from "./audit.ts";
export { listGroupProjects } from "./lists/service-list.ts";
export { type ProjectCondition, projectsIn } from "./lists/service-search.ts";
export { presentProjectNamespace, presentSimpleProject } from "./present.ts";
export { projectPresenter } from "./present-project.ts";
export { projectDeletion, removeProjectPart } from "./removal/service-delete.ts";
export { AnyProject, GroupOfProject, ProjectIdentity, ProjectNamespace, SharedWithGroup } from "./schema.ts";
export { ListGroupProjects } from "./schema-parameters.ts";
export { insertNamespaceOwner } from "./service-create.ts";
export { transferProject } from "./service-transfer.ts";
export { mergeSettings } from "./settings.ts";
export { presentGroupOfProject } from "./users/present.ts";
export { pageOfLocations } from "./users/service-locations.ts";

export const projectsModule = defineModule({
  name: "projects",
  tag: "Projects",
  about: { Projects: "Projects, their settings, lists and stars." },
  areas: ["projects", "uploads", "users"],
  operations: async () => {
    const [{ listOperations }, { recordOperations }, { actionOperations }, { projectUserOperations }] =
      await Promise.all([
        import("./lists/operations.ts"),
        import("./operations.ts"),
        import("./operations-archive-star.ts"),
        import("./users/operations.ts"),
      ]);
    return [...listOperations, ...recordOperations, ...actionOperations, ...projectUserOperations];
  },
  samples: async () => (await import("./samples.ts")).projectSamples,
  services: [ProjectSettingFields],
  collections: [projects, projectStars],
  jobs: [projectDeletion],
  on: [deletedWithProject(projectStars), projectOwnRemoval, projectUserRemoval, projectByPush],
});
