/** References to issues and merge requests in answers. */

import type { Store } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";

/** The list from which `references.relative` starts: that of a group, or of all; undefined: the project's own. */
export type RelativeTo = GroupRecord | "everywhere" | undefined;

/** The references to `short`, such as `#3`, of a project. */
export function referencesTo(store: Store, project: ProjectRecord, short: string, relativeTo: RelativeTo) {
  const path = projectPathOf(store, project);
  const isNear = typeof relativeTo === "object" && project.namespace_id === relativeTo.id;
  return {
    short,
    relative: relativeTo === undefined ? short : `${isNear ? project.path : path}${short}`,
    full: `${path}${short}`,
  };
}
