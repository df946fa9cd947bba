import { afterAll, expect, test } from "bun:test";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { closedGates, type Gates } from "../../../../src/modules/admin/feature-flags/gates.ts";
import { definitionsWith, FeatureFlags } from "../../../../src/modules/admin/feature-flags/index.ts";
import type { FeatureRecord } from "../../../../src/modules/admin/feature-flags/records.ts";
import { features } from "../../../../src/modules/admin/feature-flags/records.ts";
import { openStore } from "./store.ts";

const { store, close } = await openStore();
afterAll(close);

let drawn = 0;
const flags = new FeatureFlags(store, definitionsWith([]), { fraction: () => drawn });
const ann = { type: "User", id: 7 } as const;
const ben = { type: "User", id: 8 } as const;

function set(gates: Partial<Gates>): void {
  const now = "2026-01-01T00:00:00.000Z";
  store.transact((tx) => {
    const id = store.of(features).by.name.find("request_log");
    const record = { name: "request_log", ...closedGates, ...gates, created_at: now, updated_at: now };
    if (id === undefined) tx.insert(features, { id: tx.nextId("features"), ...record });
    else tx.update(features, { id, ...record });
  });
}

const isOn = (actor?: typeof ann | typeof ben) => flags.isEnabled("request_log", actor);

test("a flag that was never set follows its definition", () => {
  expect([isOn(), isOn(ann), flags.isEnabled("request_log_details")]).toEqual([true, true, false]);
});

test("once it is set, only its gates count", () => {
  set({});
  expect([isOn(), isOn(ann)]).toEqual([false, false]);
  set({ boolean: true });
  expect([isOn(), isOn(ann)]).toEqual([true, true]);
  set({ actors: ["User:7"] });
  expect([isOn(), isOn(ann), isOn(ben)]).toEqual([false, true, false]);
  set({ groups: ["testers"] });
  expect([isOn(), isOn(ann)]).toEqual([false, false]);
});

test("an actor who opted out does not have a flag that is on for all others", () => {
  set({ boolean: true, actors: ["User:7:opt_out"] });
  expect([isOn(), isOn(ann), isOn(ben)]).toEqual([true, false, true]);
});

test("a percentage of time is drawn again for each check", () => {
  set({ percentage_of_time: 30 });
  for (const [fraction, expected] of [
    [0, true],
    [0.299, true],
    [0.3, false],
    [0.999, false],
  ] as const) {
    drawn = fraction;
    expect([isOn(), isOn(ann)]).toEqual([expected, expected]);
  }
});

test("a percentage of actors is the same for an actor each time, and off without one", () => {
  set({ percentage_of_actors: 50 });
  const chosen = () =>
    Array.from({ length: 200 }, (_, id) => flags.isEnabled("request_log", { type: "User", id })).join();
  expect(chosen()).toBe(chosen());
  expect(chosen()).toContain("true");
  expect(chosen()).toContain("false");
  expect(isOn()).toBe(false);
});

test("a change that is rolled back has no effect, and a deleted flag follows its definition again", () => {
  set({ boolean: true });
  const fail = () =>
    store.transact((tx) => {
      const record = store.of(features).get(store.of(features).by.name.find("request_log") ?? 0) as FeatureRecord;
      tx.update(features, { ...record, boolean: false });
      expect(isOn()).toBe(false);
      throw new Error("no");
    });
  expect(fail).toThrow("no");
  expect(isOn()).toBe(true);
  set({});
  store.transact((tx) => tx.remove(features, store.of(features).by.name.find("request_log") ?? 0));
  expect(isOn()).toBe(true);
});

test("a new start has the flags as they were set", () => {
  set({ boolean: false });
  expect(new FeatureFlags(store, definitionsWith([]), systemRandomness).isEnabled("request_log")).toBe(false);
});
