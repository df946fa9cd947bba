import { expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { mentionedIn } from "../../../src/modules/notifications/issue-mails/mentions.ts";
import { startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob.b-2_x" });
const mentioned = (...texts: (string | null)[]) => mentionedIn(world.store, ...texts);

test.each([
  ["@ann", [ann.id]],
  ["Hello @ANN!", [ann.id]],
  ["(@ann), @bob.b-2_x. And @ann again", [ann.id, bob.id]],
  ["Ask @ann...", [ann.id]],
  ["**@ann**:", [ann.id]],
  ["@nobody @annabel @bob @", []],
  ["ann@ann.example is her address", []],
  ["https://pages.example/@ann", []],
  ["`@ann` and `more @ann`", []],
  ["```\n@ann\n```\n@bob.b-2_x", [bob.id]],
  ["one ` mark, @ann", [ann.id]],
])("%j names the right people", (text, ids) => {
  expect(mentioned(text)).toEqual(ids);
});

test("users of several texts are named once", () => {
  expect(mentioned("@ann", null, "@bob.b-2_x @ann")).toEqual([ann.id, bob.id]);
});

test("a hundred users are named at most, by the first thousand different names of each text", async () => {
  const crowd: number[] = [];
  for (let at = 0; at < 110; at += 1) crowd.push((await world.user({ username: `crowd-${at}` })).id);
  const all = crowd.map((_id, at) => `@crowd-${at}`).join(" ");
  expect(mentioned(all, "@ann")).toEqual(crowd.slice(0, 100));
  const unknown = (count: number) => Array.from({ length: count }, (_, at) => `@unknown-${at} `).join("");
  expect(mentioned(`${unknown(999)}@ann`)).toEqual([ann.id]);
  expect(mentioned(`${unknown(1000)}@ann`, "@ann")).toEqual([ann.id]);
  expect(mentioned(`${unknown(1000)}@ann`)).toEqual([]);
});

test("a name that comes again counts once", () => {
  expect(mentioned(`${"@unknown ".repeat(2_000)}@ann`)).toEqual([ann.id]);
});

test("names in the first hundred thousand characters of a text count", () => {
  expect(mentioned(`${" ".repeat(99_995)}@ann @bob.b-2_x`)).toEqual([ann.id]);
  expect(mentioned(`${" ".repeat(99_996)}@annabel @ann`)).toEqual([]);
  expect(mentioned(`@ann ${"word ".repeat(40_000)}`)).toEqual([ann.id]);
});

test.each(["@nobody ", "@\n"])(
  "no more of a text of many %j is read and counted in the work of the request",
  (part) => {
    const budget = new WorkBudget();
    withBudget(budget, () => mentioned(part.repeat(1_000_000 / part.length)));
    expect(budget.steps).toBeGreaterThanOrEqual(100_000);
    expect(budget.steps).toBeLessThan(200_000);
  },
);
