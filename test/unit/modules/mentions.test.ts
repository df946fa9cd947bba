import { expect, test } from "bun:test";
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
