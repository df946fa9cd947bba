import { expect, test } from "bun:test";
import fc from "fast-check";
import type { BuiltInFlag } from "../../../../src/modules/admin/feature-flags/catalogue.ts";
import { Features } from "../../../../src/modules/admin/feature-flags/index.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";
import { flagsOf } from "./setting.ts";

const world = await startWorld();
const { set, remove } = flagsOf(world);
const ann = await world.user({ username: "ann" });
const ben = await world.user({ username: "ben" });
const places = placesOf(world);
const bank = places.group({ path: "bank" });
const ledger = places.project(bank.id, { path: "ledger" });

const preview = async (name: string, query: Record<string, string> = {}) =>
  (await world.get(`/-/features/${name}`, { query })).body;

test("each gate is named that decides, in the order in which the gates decide", async () => {
  expect(await preview("birds")).toEqual({
    ...{ name: "birds", state: "off" },
    reason: "nobody has set or defined the flag",
  });
  await set("birds", { value: true, project: "bank/ledger" });
  const states = async () => [
    (await preview("birds")).state,
    (await preview("birds", { user: "ann" })).state,
    (await preview("birds", { group: "bank" })).state,
    await preview("birds", { project: "bank/ledger" }),
  ];
  const set_for = { name: "birds", state: "on", reason: `the flag is set for Project:${ledger.id}` };
  expect(await states()).toEqual(["off", "off", "off", set_for]);
  await set("birds", { value: 25 });
  expect(await preview("birds", { user: "ann" })).toMatchObject({
    ...{ state: "sometimes", reason: "the flag is on 25 % of the time" },
  });
  await set("birds", { value: true });
  await set("birds", { value: "opt_out", user: "ben" });
  expect(await preview("birds", { user: "ben" })).toMatchObject({
    ...{ state: "off", reason: `User:${ben.id} has opted out` },
  });
  expect(await preview("birds")).toMatchObject({ state: "on", reason: "the flag is on for everybody" });
  await remove("birds");
});

test("a flag that nobody has set is as its definition says", async () => {
  for (const { name, default_enabled } of world.context.get(Features).definitions.values()) {
    expect(await preview(name)).toMatchObject({ state: default_enabled ? "on" : "off" });
  }
});

test.each([
  [{ user: "nobody" }, "400 Bad request - nobody is not found!"],
  [{ user: "ann", group: "bank" }, "user, group are mutually exclusive"],
])("%j is refused", async (query, message) => {
  const { status, body } = await world.get("/-/features/birds", { query });
  expect([status, body.message ?? body.error]).toEqual([400, message]);
});

test("the preview says what the server itself decides", async () => {
  const percentage = fc.constantFrom(0, 1, 30, 99);
  const step = fc.oneof(
    fc.record({ value: fc.constantFrom("true", "false"), user: fc.constantFrom("ann", "ben") }),
    fc.record({ value: fc.constantFrom("opt_out", "remove_opt_out"), user: fc.constantFrom("ann", "ben") }),
    fc.record({ value: percentage, key: fc.constant("percentage_of_actors") }),
    fc.constantFrom({ value: "true" }, { value: "false" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.nat(99), async (steps, number) => {
      const name = `drawn_${number}`;
      // A step that the state before it does not allow changes nothing.
      for (const each of steps) await flagsOf(world).send(name, each);
      for (const [username, { id }] of Object.entries({ ann, ben })) {
        const isOn = world.context.get(Features).isEnabled(name as BuiltInFlag, { type: "User", id });
        expect((await preview(name, { user: username })).state).toBe(isOn ? "on" : "off");
      }
      await remove(name);
    }),
    { numRuns: 40 },
  );
});
