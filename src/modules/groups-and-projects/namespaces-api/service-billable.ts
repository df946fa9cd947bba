import { accessLevels } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import { Access } from "../../core/access/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { projects } from "../projects/records.ts";

/** Counts the active members of groups and of their projects, in ultimate those above guest. */
export function countBillableIn(context: Context, groupIds: readonly number[]): number {
  const { store, edition } = context;
  const access = context.get(Access);
  const lowest = includesTier(edition, "ultimate") ? accessLevels.planner : accessLevels.guest;
  const people = new Set<number>();
  for (const source of sourcesIn(context, groupIds)) {
    spend(documentSteps);
    for (const id of store.of(memberships).by.source.find(sourceKey(source))) {
      spend(documentSteps);
      const row = store.of(memberships).get(id);
      if (row === undefined || row.state !== "active" || row.access_level < lowest) continue;
      if (!isExpired(row, access.today)) people.add(row.user_id);
    }
  }
  return [...people]
    .map((id) => findUser(store, id))
    .filter((user) => user?.state === "active" && user.user_type === "human").length;
}

function* sourcesIn({ store }: Context, groupIds: readonly number[]): Generator<SourceRef> {
  for (const id of groupIds) {
    yield { type: "group", id };
    for (const projectId of store.of(projects).by.namespace_id.find(id)) yield { type: "project", id: projectId };
  }
}
