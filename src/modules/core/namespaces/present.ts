import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { projectNameOf, projectPathOf } from "./service-tree.ts";

/** groups-and-projects 3.4, "identity". */
export function presentProjectIdentity(project: ProjectRecord, { context: { store } }: View) {
  const { id, description, name, path, created_at } = project;
  return {
    id,
    description,
    name,
    name_with_namespace: projectNameOf(store, project),
    path,
    path_with_namespace: projectPathOf(store, project),
    created_at,
  };
}
