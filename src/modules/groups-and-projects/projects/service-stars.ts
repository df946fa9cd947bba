import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { unchanged } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { canSeeProfile, findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type ProjectRecord, projects } from "./records.ts";
import { type ProjectStarRecord, projectStars, starKey } from "./records-stars.ts";

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
  return store.of(projectStars).by.pair.find(starKey(userId, projectId));
}

/** A star with the user who gave it. */
export interface FoundStar {
  readonly star: ProjectStarRecord;
  readonly user: UserRecord;
}

/** `GET /projects/:id/starrers`: the oldest star first, without users whose profile the caller does not see. */
export function listStarrers(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  search: string | undefined,
  page: PageRequest,
): Page<FoundStar> {
  const { store } = context;
  const wanted = search?.trim().toLowerCase() ?? "";
  const matches = ({ user_id }: ProjectStarRecord) => {
    const user = findUser(store, user_id);
    if (user === undefined || !canSeeProfile(context, caller, user)) return false;
    return `${user.name}\n${user.username}`.toLowerCase().includes(wanted);
  };
  const where = [{ index: "project_id", key: project.id } as const];
  const stars = store.page(projectStars, { where, order: "id", descending: false, page, matches });
  return {
    ...stars,
    items: stars.items.map((star) => ({ star, user: findUser(store, star.user_id) as UserRecord })),
  };
}
