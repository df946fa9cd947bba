import type { IssueFilters } from "../../../src/modules/planning/issues/index.ts";
import { type Choices, milestoneTitles, userIds } from "./issue-changes.ts";

/** Any filters, several at once, with something of everything in `not`. */
export function filtersOf({ random, some, pick, time }: Choices): IssueFilters {
  const orWord = (highest: number) => pick([random.integer(0, highest), "none", "any"] as const);
  const one = (isNegated: boolean): IssueFilters => {
    const makers: (() => IssueFilters)[] = [
      () => ({ labels: pick([["bug"], ["bug", "ui"], ["None"], ["any"], ["nobody's"], ["Bug"]]) }),
      () => ({ milestone: pick([...milestoneTitles, "None", "any"]) }),
      () => ({ milestone_id: pick(["None", "Any", "Upcoming", "Started"]) }),
      () => ({ author_id: pick(userIds) }),
      () => ({ author_username: pick(["user4", "USER7", "nobody"]) }),
      () => ({ assignee_id: orWord(7) }),
      () => ({ assignee_username: pick([["user4"], ["USER4", "user5"], ["nobody"]]) }),
      () => ({ epic_id: orWord(3) }),
      () => ({ weight: orWord(2) }),
      () => ({ my_reaction_emoji: pick(["rocket", "None", "any", "heart"]) }),
      () => ({ iids: pick([[1], [1, 2, 3], [99]]) }),
    ];
    const more: (() => IssueFilters)[] = [
      () => ({ scope: pick(["created_by_me", "assigned_to_me", "all", "created-by-me", "assigned-to-me"]) }),
      () => ({ search: pick(["login", "page q", '"login page"', "ÜBER", "zebra", "a", '"hi"']) }),
      () => ({ search: pick(["login", "q"]), in: pick(["title", "description", "title, description", "other"]) }),
      () => ({ created_after: time() }),
      () => ({ created_before: time(), updated_after: time() }),
      () => ({ updated_before: time() }),
      () => ({ confidential: some(0.5) }),
    ];
    return pick(isNegated ? makers : [...makers, ...more])();
  };
  let filters: IssueFilters = {};
  for (let count = random.integer(0, 3); count > 0; count -= 1) filters = { ...filters, ...one(false) };
  if (!some(0.4)) return filters;
  return { ...filters, not: { ...one(true), ...(some(0.3) ? one(true) : {}) } as NonNullable<IssueFilters["not"]> };
}
