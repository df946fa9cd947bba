import { expect, test } from "bun:test";
import fc from "fast-check";
import { fullPathOf } from "../../../src/modules/core/namespaces/index.ts";
import { groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { insertGroups } from "../../support/fixtures/groups.ts";
import { type Json, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();

// A tree of paths that share many parts: "ab-1", "ab-2", "aba-1", ...
let parents: (number | null)[] = [null];
for (const words of [
  ["abc", "ba"],
  ["ab", "c"],
  ["abc", "b"],
]) {
  const below: number[] = [];
  for (const parent of parents.slice(0, 5)) {
    for (const word of words) {
      const first = insertGroups(world, 2, word, parent);
      below.push(first, first + 1);
    }
  }
  parents = below;
}
const everyone = [...world.store.of(groups).by.id.between(undefined, undefined)].map((id) => ({
  id,
  name: world.store.of(groups).get(id)?.name.toLowerCase() as string,
  path: fullPathOf(world.store, id).toLowerCase(),
}));

/** A part of some full path, or nearly. */
const text = fc
  .tuple(fc.constantFrom(...everyone), fc.nat({ max: 12 }), fc.nat({ max: 14 }), fc.constantFrom("", "", "", "x", "1"))
  .map(([{ path }, from, length, tail]) => path.slice(from, from + length) + tail)
  // Shorter texts are taken whole; so is a short one before the last slash.
  .filter((part) => part.length >= 3 && !/^[^/]{0,2}\/$/.test(part) && !part.includes("//"));

test("a search finds exactly the groups with the text in name, path or full path", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (search) => {
      const { body } = await world.get("/groups", { query: { search, per_page: 100, order_by: "id" } });
      const expected = everyone.filter(({ name, path }) => name.includes(search) || path.includes(search));
      expect({ search, ids: body.map((group: Json) => group.id) }).toEqual({
        search,
        ids: expected.map(({ id }) => id).slice(0, 100),
      });
    }),
    { numRuns: 300 },
  );
});
