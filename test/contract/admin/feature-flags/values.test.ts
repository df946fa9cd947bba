import { describe, expect, test } from "bun:test";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { flagsOf, gatesOf } from "./setting.ts";

const world = await startWorld();
const { set, remove, refusal, names } = flagsOf(world);
const ann = await world.user({ username: "ann" });
const ben = await world.user({ username: "ben" });
const places = placesOf(world);
const bank = places.group({ path: "bank" });
const vaults = places.group({ path: "vaults", parent_id: bank.id });
const ledger = places.project(bank.id, { path: "ledger" });

let count = 0;
const fresh = () => {
  count += 1;
  return `flag_${count}`;
};

describe("a value for all", () => {
  test.each(["100", "100.0", "true", true, 100])("%p turns the flag on and clears every other gate", async (value) => {
    const name = fresh();
    await set(name, { value: "true", user: "ann" });
    await set(name, { value: 20, key: "percentage_of_actors" });
    const flag = await set(name, { value });
    expect([flag.state, flag.gates]).toEqual(["on", [{ key: "boolean", value: true }]]);
  });

  test.each(["0", "0.0", "false", false, 0])("%p closes every gate and keeps the flag in the list", async (value) => {
    const name = fresh();
    await set(name, { value: "true", user: "ann" });
    await set(name, { value: 20 });
    const flag = await set(name, { value });
    expect([flag.state, flag.gates]).toEqual(["off", [{ key: "boolean", value: false }]]);
    expect(await names()).toContain(name);
  });

  test.each(["percentage_of_actors", "percentage_of_time", "unknown"])("ignores a key %s", async (key) => {
    expect((await set(fresh(), { value: "100", key })).gates).toEqual([{ key: "boolean", value: true }]);
    expect((await set(fresh(), { value: "0", key })).gates).toEqual([{ key: "boolean", value: false }]);
  });

  test("that is a number is a percentage of time, or of actors if the key says so; both apply together", async () => {
    const name = fresh();
    await set(name, { value: 30 });
    await set(name, { value: "12.5", key: "percentage_of_actors" });
    const flag = await set(name, { value: 31, key: "percentage_of_time" });
    expect([flag.state, flag.gates]).toEqual([
      "conditional",
      [
        { key: "boolean", value: false },
        { key: "percentage_of_actors", value: 12.5 },
        { key: "percentage_of_time", value: 31 },
      ],
    ]);
  });

  test.each(["percentage_of_actors", "percentage_of_time"])("on a flag that is on, %s is refused", async (key) => {
    const name = fresh();
    await set(name, { value: true });
    expect(await refusal(name, { value: 50, key })).toBe(
      `400 Bad request - Cannot enable ${key.replaceAll("_", " ")} for a fully-enabled flag`,
    );
  });

  test("a percentage of time of 100 is on", async () => {
    const flag = await set(fresh(), { value: "100.00" });
    expect([flag.state, gatesOf(flag)]).toEqual(["on", { boolean: false, percentage_of_time: 100 }]);
  });

  test.each([
    [{ value: "wibble" }, `Cannot set 'FLAG' to "wibble"`],
    [{ value: "" }, `Cannot set 'FLAG' to ""`],
    [{ value: "constructor" }, `Cannot set 'FLAG' to "constructor"`],
    [{ value: "-5" }, `Cannot set 'FLAG' to "-5"`],
    [{ value: "opt_out" }, `Cannot set 'FLAG' to "opt_out"`],
    [{ value: "remove_opt_out" }, `Cannot set 'FLAG' to "remove_opt_out"`],
    [{ value: "wibble", key: "unknown" }, `Cannot set 'FLAG' ("unknown") to "wibble"`],
    [{ value: "30", key: "unknown" }, `Cannot set 'FLAG' ("unknown") to "30"`],
    [{ value: "wibble", key: "percentage_of_actors" }, "Not a percentage"],
    [{ value: "1e1", key: "percentage_of_time" }, "Not a percentage"],
    [{ value: "101" }, "value must be a positive number less than or equal to 100, but was 101"],
    [
      { value: 100.5, key: "percentage_of_actors" },
      "value must be a positive number less than or equal to 100, but was 100.5",
    ],
  ])("%j is refused", async (json, text) => {
    const name = fresh();
    expect(await refusal(name, json)).toBe(`400 Bad request - ${text.replace("FLAG", name)}`);
    expect(await names()).not.toContain(name);
  });
});

describe("a value for targets", () => {
  test("stores the id of each kind, of several kinds at once, and ignores the case of paths", async () => {
    const flag = await set(fresh(), {
      value: "true",
      feature_group: "testers",
      user: "ANN,ben,,,",
      group: "Bank/Vaults",
      namespace: "bank,ann",
      project: "BANK/ledger",
      repository: "bank/ledger.git,bank/ledger.wiki.git,bank/ledger",
    });
    expect(flag.state).toBe("conditional");
    expect(gatesOf(flag)).toEqual({
      boolean: false,
      actors: [
        `User:${ann.id}`,
        `User:${ben.id}`,
        `Group:${vaults.id}`,
        `Group:${bank.id}`,
        `Namespaces::UserNamespace:${ann.record.namespace_id}`,
        `Project:${ledger.id}`,
        "Repository:bank/ledger",
        "Repository:bank/ledger.wiki",
      ],
      groups: ["testers"],
    });
  });

  test("finds repositories of snippets by number, behind the path of their project if they have one", async () => {
    const make = (path: string) =>
      world.call("POST", path, { token: rootToken, json: { title: "One", file_name: "a", content: "b" } });
    const [own, ofProject] = [await make("/snippets"), await make(`/projects/${ledger.id}/snippets`)];
    const paths = [`snippets/${own.body.id}`, `bank/ledger/snippets/${ofProject.body.id}`];
    const flag = await set(fresh(), { value: "true", repository: [`${paths[0]}.git`, `Bank/${paths[1]?.slice(5)}`] });
    expect(gatesOf(flag).actors).toEqual(paths.map((path) => `Repository:${path}`));
    for (const other of [`bank/ledger/snippets/${own.body.id}`, `snippets/${ofProject.body.id}`, `bank/${paths[0]}`]) {
      expect(await refusal(fresh(), { value: "true", repository: other })).toEndWith(`${other} is not found!`);
    }
  });

  test("a list may be repeated parameters", async () => {
    expect(gatesOf(await set(fresh(), { value: "true", user: ["ann", "ben"] })).actors).toEqual([
      `User:${ann.id}`,
      `User:${ben.id}`,
    ]);
  });

  test("stores an actor once, and removes it when the value is false", async () => {
    const name = fresh();
    await set(name, { value: "true", user: "ann" });
    const twice = await set(name, { value: "100", user: "ann" });
    expect(gatesOf(twice).actors).toEqual([`User:${ann.id}`]);
    const none = await set(name, { value: "false", user: "ann" });
    expect([none.state, none.gates]).toEqual(["off", [{ key: "boolean", value: false }]]);
  });

  test("keeps a flag on when actors are added or removed", async () => {
    const name = fresh();
    await set(name, { value: true });
    const added = await set(name, { value: "true", user: "ann", feature_group: "testers" });
    expect([added.state, gatesOf(added)]).toEqual([
      "on",
      { boolean: true, actors: [`User:${ann.id}`], groups: ["testers"] },
    ]);
    const taken = await set(name, { value: "false", user: "ann", feature_group: "testers" });
    expect([taken.state, gatesOf(taken)]).toEqual(["on", { boolean: true }]);
  });

  test.each([
    [{ user: "ann,nobody,noone" }, "nobody"],
    [{ group: "bank/nothing" }, "bank/nothing"],
    [{ group: "ann" }, "ann"],
    [{ namespace: "bank/ledger" }, "bank/ledger"],
    [{ project: "bank/vaults" }, "bank/vaults"],
    [{ repository: "snippets/21.git" }, "snippets/21.git"],
    [{ user: "ann", project: "bank/nothing" }, "bank/nothing"],
  ])("%j is 404, and nothing changes", async (targets, missing) => {
    const name = fresh();
    expect(await refusal(name, { value: "true", ...targets })).toBe(`400 Bad request - ${missing} is not found!`);
    expect(await names()).not.toContain(name);
  });

  test("with an empty list sets nothing for all", async () => {
    for (const user of ["", null, [], ",,"]) {
      expect(gatesOf(await set(fresh(), { value: "true", user }))).toEqual({ boolean: false });
    }
  });

  test.each(["50", "wibble"])("%s is refused for a target", async (value) => {
    const name = fresh();
    expect(await refusal(name, { value, user: "ann" })).toBe(
      `400 Bad request - Cannot set '${name}' to "${value}" for User:${ann.id}`,
    );
  });
});

describe("opting out", () => {
  test("adds an actor of its own and does not change a flag that is on", async () => {
    const name = fresh();
    await set(name, { value: true });
    const out = await set(name, { value: "opt_out", user: "ann", group: "bank" });
    expect([out.state, gatesOf(out)]).toEqual([
      "on",
      { boolean: true, actors: [`User:${ann.id}:opt_out`, `Group:${bank.id}:opt_out`] },
    ]);
    const back = await set(name, { value: "remove_opt_out", user: "ann", group: "bank" });
    expect(gatesOf(back)).toEqual({ boolean: true });
  });

  test("prevents enabling until it is removed", async () => {
    const name = fresh();
    await set(name, { value: "opt_out", user: "ann" });
    expect(await refusal(name, { value: "true", user: "ben,ann" })).toBe(
      `400 Bad request - Opt-out exists for User:${ann.id} - remove opt-out before enabling`,
    );
    await set(name, { value: "remove_opt_out", user: "ann" });
    expect(gatesOf(await set(name, { value: "true", user: "ben,ann" })).actors).toHaveLength(2);
  });

  test("cannot be removed if there is none", async () => {
    const name = fresh();
    expect(await refusal(name, { value: "remove_opt_out", project: "bank/ledger" })).toBe(
      `400 Bad request - No opt-out exists for Project:${ledger.id}`,
    );
    expect(await names()).not.toContain(name);
  });
});

test("every transition between two states works", async () => {
  const name = fresh();
  const steps: [json: object, state: string][] = [
    [{ value: false }, "off"],
    [{ value: 30 }, "conditional"],
    [{ value: false }, "off"],
    [{ value: true, user: "ann" }, "conditional"],
    [{ value: false, user: "ann" }, "off"],
    [{ value: true }, "on"],
    [{ value: false }, "off"],
  ];
  for (const [json, state] of steps) expect((await set(name, json)).state).toBe(state);
  await remove(name);
  expect(await names()).not.toContain(name);
});
