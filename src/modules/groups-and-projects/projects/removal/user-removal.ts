/** The removal of a deleted user's personal projects and stars. */

import type { Store } from "../../../../store/index.ts";
import { userRemovalStep } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type ProjectRecord, projects } from "../records.ts";
import { projectStars } from "../records-stars.ts";
import { acceptProjectDeletion } from "./service-delete.ts";

/** The projects in the personal namespace of a deleted user, and the stars that the user gave (users-and-auth 9). */
export const projectUserRemoval = subscribe(userRemovalStep, {
  phase: 8,
  run(tx, context, { user, caller, budget }) {
    const { store } = context;
    const documents = store.of(projects);
    budget.each(
      () => idsOfKept(store, user.namespace_id),
      (id) => acceptProjectDeletion(tx, context, caller, documents.get(id) as ProjectRecord),
    );
    budget.each(
      () => store.of(projectStars).by.user_id.find(user.id),
      (id) => {
        const project = documents.get(store.of(projectStars).get(id)?.project_id ?? 0);
        if (project !== undefined) tx.update(projects, { ...project, star_count: project.star_count - 1 });
        tx.remove(projectStars, id);
      },
    );
  },
});

/** Ids of the projects in a namespace whose deletion is not accepted yet. */
function* idsOfKept(store: Store, namespaceId: number): Generator<number> {
  const documents = store.of(projects);
  for (const id of documents.by.namespace_id.find(namespaceId)) {
    if (documents.get(id)?.is_being_deleted !== true) yield id;
  }
}
