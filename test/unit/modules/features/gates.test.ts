import { expect, test } from "bun:test";
import { closedGates, isInPercentage, openGates, stateOf } from "../../../../src/modules/admin/feature-flags/gates.ts";

const actors = Array.from({ length: 5000 }, (_, id) => `User:${id + 1}`);
const among = (percentage: number, name: string) => actors.filter((actor) => isInPercentage(percentage, name, actor));

test.each([0, 1, 12.5, 50, 99, 100])("about %p in a hundred actors are chosen", (percentage) => {
  const share = (among(percentage, "new_search").length / actors.length) * 100;
  expect(Math.abs(share - percentage)).toBeLessThan(2.5);
});

test("a chosen actor stays chosen when the percentage rises", () => {
  for (let percentage = 0; percentage < 100; percentage += 7) {
    const wider = new Set(among(percentage + 7, "new_search"));
    expect(among(percentage, "new_search").filter((actor) => !wider.has(actor))).toEqual([]);
  }
});

test("other flags choose other actors", () => {
  const [first, second] = [new Set(among(50, "new_search")), among(50, "new_list")];
  const both = second.filter((actor) => first.has(actor)).length / actors.length;
  expect(both).toBeWithin(0.2, 0.3);
});

test.each([
  [openGates, "on"],
  [{ ...closedGates, percentage_of_time: 100 }, "on"],
  [closedGates, "off"],
  [{ ...closedGates, percentage_of_actors: 100 }, "conditional"],
  [{ ...closedGates, percentage_of_time: 0.5 }, "conditional"],
  [{ ...closedGates, actors: ["User:1"] }, "conditional"],
  [{ ...closedGates, groups: ["testers"] }, "conditional"],
  [{ ...openGates, actors: ["User:1:opt_out"] }, "on"],
] as const)("%j is %s", (gates, state) => {
  expect(stateOf(gates)).toBe(state);
});
