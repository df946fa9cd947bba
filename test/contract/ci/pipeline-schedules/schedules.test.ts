import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, person } = await setTracker(world, "private");
const guest = await person(accessLevels.guest);
const reporter = await person(accessLevels.reporter);
const owner = await person(accessLevels.developer);
const other = await person(accessLevels.developer);
const maintainer = await person(accessLevels.maintainer);
const stranger = await world.user();
await putCiFile(world, project.id, "test: {script: [make]}");

const path = `/projects/${project.id}/pipeline_schedules`;
const ask = (method: string, rest: string, json?: Json, token: string | undefined = owner.token) =>
  world.call(method, `${path}${rest}`, { token, ...(json === undefined ? {} : { json }) });
const nightly = { description: "Nightly", ref: "main", cron: "0 1 * * *" };
/** A schedule that the test deletes: a project has at most ten. */
async function withSchedule(json: Json, use: (schedule: Json) => Promise<void>): Promise<void> {
  const { status, body } = await ask("POST", "", { ...nightly, ...json });
  expect(status).toBe(201);
  await use(body);
  await ask("DELETE", `/${body.id}`, undefined, rootToken);
}

describe("a schedule", () => {
  test("has every field, and its variables only for those who may see them", async () => {
    await withSchedule({}, async (schedule) => {
      const { id } = schedule;
      const day = world.clock.time().slice(0, 10);
      expect(schedule).toEqual({
        id,
        description: "Nightly",
        ref: "refs/heads/main",
        cron: "0 1 * * *",
        cron_timezone: "UTC",
        next_run_at: expect.stringMatching(/T01:00:00\.000Z$/),
        active: true,
        created_at: expect.stringContaining(day),
        updated_at: expect.stringContaining(day),
        owner: expect.objectContaining({ username: owner.username }),
        last_pipeline: null,
        variables: [],
        inputs: [],
      });
      const { variables: _, inputs: __, ...shown } = schedule;
      expect((await ask("GET", `/${id}`, undefined, reporter.token)).body).toEqual(shown);
      const { last_pipeline: ___, ...listed } = shown;
      expect((await ask("GET", "?scope=active", undefined, reporter.token)).body).toEqual([listed]);
      expect((await ask("GET", "?scope=inactive")).body).toEqual([]);
    });
  });

  test("changes; a new pattern, zone or state sets the next run", async () => {
    await withSchedule({}, async ({ id, next_run_at }) => {
      expect((await ask("PUT", `/${id}`, {})).body.next_run_at).toBe(next_run_at);
      const zone = { cron_timezone: "Pacific Time (US & Canada)" };
      expect((await ask("PUT", `/${id}`, zone)).body.next_run_at).toMatch(/T0[89]:00:00/);
      expect((await ask("PUT", `/${id}`, { active: false })).body.next_run_at).toBeNull();
      expect((await ask("PUT", `/${id}`, { cron: "@hourly", active: true })).body.next_run_at).toMatch(/:00:00/);
    });
  });

  test("has inputs, which a change adds, replaces and removes by name", async () => {
    await withSchedule(
      {
        inputs: [
          { name: "size", value: 3 },
          { name: "tags", value: ["a"] },
        ],
      },
      async ({ id }) => {
        const inputs = [
          { name: "tags", destroy: true },
          { name: "size", value: "large" },
        ];
        expect((await ask("PUT", `/${id}`, { inputs })).body.inputs).toEqual([{ name: "size", value: "large" }]);
      },
    );
  });

  test("has variables, each key once", async () => {
    await withSchedule({}, async ({ id }) => {
      const at = `/${id}/variables`;
      const made = await ask("POST", at, { key: "A", value: "1" });
      expect([made.status, made.body]).toEqual([201, { key: "A", variable_type: "env_var", value: "1", raw: false }]);
      expect((await ask("POST", at, { key: "A", value: "1" })).body.message.key).toEqual(["has already been taken"]);
      expect((await ask("POST", at, { key: "a b", value: "1" })).body.message.key).toEqual([
        "can contain only letters, digits and '_'.",
      ]);
      expect((await ask("PUT", `${at}/A`, { key: "B", value: "2", variable_type: "file" })).body).toMatchObject({
        ...{ key: "A", value: "2", variable_type: "file" },
      });
      expect((await ask("GET", at)).body.map(({ key }: Json) => key)).toEqual(["A"]);
      expect((await ask("GET", at, undefined, reporter.token)).status).toBe(403);
      const gone = await ask("DELETE", `${at}/A`);
      expect([gone.status, gone.body.key]).toEqual([202, "A"]);
      expect((await ask("DELETE", `${at}/A`)).status).toBe(404);
    });
  });
});

test("each act is for those who may do it", async () => {
  await withSchedule({}, async ({ id }) => {
    const may = async (method: string, rest: string, json?: Json) => {
      const statuses: number[] = [];
      for (const { token } of [guest, reporter, other, owner, maintainer]) {
        statuses.push((await ask(method, rest, json, token)).status);
      }
      return statuses;
    };
    expect(await may("GET", "")).toEqual([403, 200, 200, 200, 200]);
    expect(await may("GET", `/${id}`)).toEqual([404, 200, 200, 200, 200]);
    expect(await may("GET", `/${id}/pipelines`)).toEqual([404, 200, 200, 200, 200]);
    expect(await may("PUT", `/${id}`, { description: "Each night" })).toEqual([404, 403, 403, 200, 403]);
    expect(await may("POST", `/${id}/play`)).toEqual([403, 403, 201, 201, 201]);
    expect((await ask("POST", `/${id}/take_ownership`, undefined, other.token)).status).toBe(403);
    expect((await ask("POST", `/${id}/take_ownership`)).status).toBe(403);
    const taken = await ask("POST", `/${id}/take_ownership`, undefined, maintainer.token);
    expect([taken.status, taken.body.owner.username]).toEqual([201, maintainer.username]);
    expect((await ask("DELETE", `/${id}`)).status).toBe(403);
    expect((await ask("POST", "", nightly, stranger.token)).status).toBe(404);
    expect((await world.call("GET", path)).status).toBe(401);
  });
});

test.each([
  [{ cron: "0 1 * *" }, { cron: ["syntax is invalid"] }],
  [{ cron: "0 1 * * * *" }, { cron: ["syntax is invalid"] }],
  [{ cron: "61 1 * * *" }, { cron: ["syntax is invalid"] }],
  [
    { description: "", cron: " " },
    { description: ["can't be blank"], cron: ["can't be blank", "syntax is invalid"] },
  ],
  [{ cron_timezone: "Mars" }, { cron_timezone: ["syntax is invalid"] }],
  [{ ref: "nowhere" }, { ref: ["is ambiguous"] }],
])("a schedule with %j is refused", async (json, message) => {
  const { status, body } = await ask("POST", "", { ...nightly, ...json });
  expect([status, body.message]).toEqual([400, message]);
});

test("variables are for those who may set them, and changes for those who may update the ref", async () => {
  await withSchedule({}, async ({ id }) => {
    const settings = {
      ci_pipeline_variables_minimum_override_role: "maintainer",
      restrict_user_defined_variables: true,
    };
    await world.call("PUT", `/projects/${project.id}`, { token: rootToken, json: settings });
    expect((await ask("POST", `/${id}/variables`, { key: "A", value: "1" })).status).toBe(403);
    const open = { ci_pipeline_variables_minimum_override_role: "developer" };
    await world.call("PUT", `/projects/${project.id}`, { token: rootToken, json: open });
    expect((await ask("POST", `/${id}/variables`, { key: "A", value: "1" })).status).toBe(201);
    const rule = { name: "main", push_access_level: 40, merge_access_level: 40 };
    await world.call("POST", `/projects/${project.id}/protected_branches`, { token: rootToken, json: rule });
    for (const [method, rest, json] of [
      ["PUT", `/${id}`, { description: "Mine" }],
      ["POST", `/${id}/variables`, { key: "B", value: "1" }],
      ["PUT", `/${id}/variables/A`, { value: "2" }],
      ["POST", `/${id}/play`, {}],
    ] as const) {
      expect((await ask(method, rest, json)).status, `${method} ${rest}`).toBe(403);
    }
    expect((await ask("POST", "", nightly)).body.message).toEqual({
      base: ["The current user is not authorized to create the pipeline schedule"],
    });
    await world.call("DELETE", `/projects/${project.id}/protected_branches/main`, { token: rootToken });
  });
});

test("a project has at most ten", async () => {
  const made: number[] = [];
  for (let at = 0; at < 10; at += 1) made.push((await ask("POST", "", nightly)).body.id);
  expect((await ask("POST", "", nightly)).body.message).toEqual({
    base: ["Maximum number of ci pipeline schedules (10) exceeded"],
  });
  for (const id of made) await ask("DELETE", `/${id}`);
});
