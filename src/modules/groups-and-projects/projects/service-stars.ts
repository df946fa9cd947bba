import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { canSeeProfile, findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { ProjectRecord } from "./records.ts";
import { type ProjectStarRecord, projectStars } from "./records-stars.ts";

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
