/** The removal of a deleted user's personal projects and stars. */

import { projects } from "../../../core/namespaces/index.ts";
import { userDeleted } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { projectStars } from "../records-stars.ts";
import { acceptProjectDeletion } from "./service-delete.ts";

/** The projects in the personal namespace of a deleted user, and the stars that the user gave (users-and-auth 9). */
export const projectUserRemoval = subscribe(userDeleted, {
  phase: 9,
  run(tx, context, { user, caller }) {
    const { store } = context;
    for (const id of [...store.of(projects).by.namespace_id.find(user.namespace_id)]) {
      const project = store.of(projects).get(id);
      if (project !== undefined && project.is_being_deleted !== true) {
        acceptProjectDeletion(tx, context, caller, project);
      }
    }
    for (const id of [...store.of(projectStars).by.user_id.find(user.id)]) {
      const project = store.of(projects).get(store.of(projectStars).get(id)?.project_id ?? 0);
      if (project !== undefined) tx.update(projects, { ...project, star_count: project.star_count - 1 });
      tx.remove(projectStars, id);
    }
  },
});
