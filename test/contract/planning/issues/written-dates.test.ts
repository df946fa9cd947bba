import { describe, expect, test } from "bun:test";
import { putGroup, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const group = putGroup(world);
const project = putProject(world, group.id);
const send = (method: string, path: string, json: Json) => world.call(method, path, { token: rootToken, json });

const fixed = { start_date_is_fixed: true, due_date_is_fixed: true };
const dates = ["start_date", "due_date"];
const fixedDates = ["start_date_fixed", "due_date_fixed"];

/** Late on the evening before, and early on the day after, in UTC. */
const sent = ["2030-05-01T00:30:00+02:00", "2030-05-02T23:30:00.123-05:00"] as const;
const kept = ["2030-05-01", "2030-05-02"] as const;

const named = (names: readonly string[], values: readonly (string | null)[]): Json =>
  Object.fromEntries(names.map((name, at) => [name, values[at]]));

describe.each([
  ["an issue", `/projects/${project.id}/issues`, "iid", dates, {}],
  ["a milestone of a project", `/projects/${project.id}/milestones`, "id", dates, {}],
  ["a milestone of a group", `/groups/${group.id}/milestones`, "id", dates, {}],
  ["an epic", `/groups/${group.id}/epics`, "iid", fixedDates, fixed],
])("the dates of %s", (noun, path, number, names, more) => {
  test("are the calendar days of the sent times", async () => {
    const made = await send("POST", path, { title: `made as ${noun}`, ...more, ...named(names, sent) });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(named(names, kept))]);
    const plain = await send("POST", path, { title: `plain as ${noun}` });
    const one = `${path}/${plain.body[number]}`;
    const changed = await send("PUT", one, { ...more, ...named(names, sent) });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(named(names, kept))]);
    expect((await send("PUT", one, named(names, [null, null]))).body).toMatchObject(named(names, [null, null]));
  });

  test("are refused when there is no such day or time", async () => {
    for (const date of ["2030-02-30T10:00:00Z", "2030-05-01T25:00:00Z"]) {
      const { status, body } = await send("POST", path, { title: "never", ...named(names, [date, date]) });
      expect([status, body.error]).toEqual([400, expect.stringContaining(`${names[0]} is invalid`)]);
    }
  });
});
