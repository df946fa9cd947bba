import { expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { Access } from "../../../src/modules/core/access/index.ts";
import { hierarchyMembersOf } from "../../../src/modules/members/members/hierarchy-members.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, share } = placesOf(world);
const { id: userId } = await world.user();

/** A group that has invited 40 groups, each below three others, with so many projects. */
function inviting(projects: number) {
  const host = group();
  const above = group({ parent_id: group({ parent_id: group().id }).id });
  for (let count = 0; count < 40; count += 1) share(host, group({ parent_id: above.id }), accessLevels.reporter);
  return { host, projects: Array.from({ length: projects }, () => project(host.id)) };
}

function stepsOf(work: () => unknown): number {
  const budget = new WorkBudget();
  withBudget(budget, work);
  return budget.steps;
}

test("each group that a share brings in counts as work", () => {
  const { projects } = inviting(1);
  const source = { type: "project", id: projects[0]?.id ?? 0 } as const;
  const steps = stepsOf(() => world.context.get(Access).explain(userId, source));
  expect(steps).toBeGreaterThan(40 * 4 * (40 + 25));
});

test("the level of a new member does not look at shares", () => {
  const { projects } = inviting(1);
  const source = { type: "project", id: projects[0]?.id ?? 0 } as const;
  expect(stepsOf(() => world.context.get(Access).inherited(userId, source))).toBeLessThan(500);
});

test("the members of a hierarchy do not take the shares of a group again for each of its projects", () => {
  const [few, many] = [inviting(1), inviting(30)];
  const stepsFor = (id: number) => stepsOf(() => hierarchyMembersOf(world.context, id));
  expect(stepsFor(many.host.id)).toBeLessThan(2 * stepsFor(few.host.id));
});
