import type { SignedInCaller } from "../../../domain/caller.ts";
import { unchanged } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { collection, field, multi, ordered, type RecordOf, record, type Store, unique } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type ProjectRecord, projects } from "./records.ts";

/** A user's star on a project. */
export const ProjectStarRecord = record({
  id: field.whole,
  user_id: field.whole,
  project_id: field.whole,
  created_at: field.moment,
});
export type ProjectStarRecord = RecordOf<typeof ProjectStarRecord>;

export const projectStars = collection("project-stars", ProjectStarRecord, {
  indexes: {
    pair: unique((star) => pairKey(star.user_id, star.project_id)),
    user_id: multi((star) => [star.user_id]),
    project_id: multi((star) => [star.project_id]),
    id: ordered((star) => star.id),
  },
  references: { user_id: "users", project_id: "projects" },
});

/** `POST /projects/:id/star`. Throws `unchanged` when it is starred already. */
export function starProject({ store, clock }: Context, { user }: SignedInCaller, project: ProjectRecord) {
  if (findStar(store, user.id, project.id) !== undefined) throw unchanged();
  return store.transact((tx) => {
    const id = tx.nextId("project_stars");
    tx.insert(projectStars, { id, user_id: user.id, project_id: project.id, created_at: toDateTime(clock.now()) });
    return tx.update(projects, { ...project, star_count: project.star_count + 1 });
  });
}

/** `POST /projects/:id/unstar`. Throws `unchanged` when it is not starred. */
export function unstarProject({ store }: Context, { user }: SignedInCaller, project: ProjectRecord) {
  const id = findStar(store, user.id, project.id);
  if (id === undefined) throw unchanged();
  return store.transact((tx) => {
    tx.remove(projectStars, id);
    return tx.update(projects, { ...project, star_count: project.star_count - 1 });
  });
}

/** Ids of the projects that a user has starred. */
export function starredBy(store: Store, userId: number): ReadonlySet<number> {
  const stars = store.of(projectStars);
  const ids = new Set<number>();
  for (const id of stars.by.user_id.find(userId)) {
    const star = stars.get(id);
    if (star !== undefined) ids.add(star.project_id);
  }
  return ids;
}

function findStar(store: Store, userId: number, projectId: number): number | undefined {
  return store.of(projectStars).by.pair.find(pairKey(userId, projectId));
}

function pairKey(userId: number, projectId: number): string {
  return `${userId} ${projectId}`;
}
