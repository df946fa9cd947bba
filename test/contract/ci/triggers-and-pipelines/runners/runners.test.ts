import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { runnerManagers, runners } from "../../../../../src/modules/ci/runners/records.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group: makeGroup, project: makeProject, member } = placesOf(world);

const create = (json: object, token = rootToken) => world.call("POST", "/user/runners", { token, json });

describe("POST /user/runners", () => {
  test("answers the id and a token that is not stored", async () => {
    const { status, body } = await create({ runner_type: "instance_type", description: "big", tag_list: "b, a,b" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^glrt-\w{20}$/),
      token_expires_at: null,
    });
    const kept = world.store.of(runners).get(body.id);
    expect(kept).toMatchObject({ description: "big", tag_list: ["a", "b"], run_untagged: true, paused: false });
    expect(JSON.stringify(kept)).not.toContain(body.token);
  });

  test("stores all given attributes", async () => {
    const json = {
      runner_type: "instance_type",
      ...{ description: "one", paused: true, locked: true, run_untagged: false, tag_list: ["x"] },
      ...{ access_level: "ref_protected", maximum_timeout: 900, maintenance_note: "mind the step" },
    };
    const { body } = await create(json);
    expect(world.store.of(runners).get(body.id)).toMatchObject(json);
  });

  test.each([
    [{}, "runner_type is missing"],
    [{ runner_type: "x" }, "runner_type does not have a valid value"],
    [{ runner_type: "group_type" }, "group_id is missing"],
    [{ runner_type: "project_type" }, "project_id is missing"],
    [{ runner_type: "instance_type", access_level: "x" }, "access_level does not have a valid value"],
  ])("%j is 400", async (json, error) => {
    const { status, body } = await create(json);
    expect([status, body.error]).toEqual([400, error]);
  });

  test.each([
    [{ run_untagged: false }, "Tags list can not be empty when runner is not allowed to pick untagged jobs"],
    [{ maximum_timeout: 599 }, "Maximum timeout needs to be at least 10 minutes"],
    [
      { tag_list: Array.from({ length: 51 }, (_, at) => `t${at}`) },
      "Tags list Too many tags specified. Please limit the number of tags to 50",
    ],
    [{ tag_list: ["x".repeat(256)] }, "Tags list has a tag that is too long (maximum is 255 characters)"],
  ])("%j is refused by the model", async (json, text) => {
    const { status, body } = await create({ runner_type: "instance_type", ...json });
    expect([status, body.message]).toEqual([400, `400 Bad request - ${text}`]);
  });

  test("is for administrators, owners of the group, maintainers of the project", async () => {
    const group = makeGroup();
    const project = makeProject(group.id);
    for (const level of [accessLevels.developer, accessLevels.maintainer, accessLevels.owner] as const) {
      const person = await world.user();
      member(group, person.id, level);
      const statuses = [
        (await create({ runner_type: "instance_type" }, person.token)).status,
        (await create({ runner_type: "group_type", group_id: group.id }, person.token)).status,
        (await create({ runner_type: "project_type", project_id: project.id }, person.token)).status,
      ];
      const isOwner = level === accessLevels.owner;
      expect(statuses).toEqual([403, isOwner ? 201 : 403, level >= accessLevels.maintainer ? 201 : 403]);
    }
    expect((await create({ runner_type: "group_type", group_id: group.id })).status).toBe(201);
    expect((await world.call("POST", "/user/runners", { json: { runner_type: "instance_type" } })).status).toBe(401);
  });

  test("does not reveal to strangers which groups and projects exist", async () => {
    const stranger = await world.user();
    const { id } = makeProject(makeGroup().id);
    const refused = { message: "403 Forbidden - Insufficient permissions" };
    for (const project_id of [id, 999_999]) {
      expect((await create({ runner_type: "project_type", project_id }, stranger.token)).body).toEqual(refused);
    }
    const unknown = await create({ runner_type: "group_type", group_id: 999_999 });
    expect([unknown.status, unknown.body.message]).toEqual([400, "400 Bad request - Validation error"]);
  });
});

describe("a runner with its token", () => {
  test("asks whether the token is valid", async () => {
    const { id, token } = (await create({ runner_type: "instance_type" })).body;
    const { status, body } = await world.call("POST", "/runners/verify", { json: { token } });
    expect([status, body]).toEqual([200, { id, token, token_expires_at: null }]);
    const bad = await world.call("POST", "/runners/verify", { json: { token: "glrt-unknown" } });
    expect([bad.status, bad.body]).toEqual([403, { message: "403 Forbidden" }]);
    expect((await world.call("POST", "/runners/verify", { json: {} })).body.error).toBe("token is missing");
  });

  test("gets another token, and the first is invalid", async () => {
    const { id, token } = (await create({ runner_type: "instance_type" })).body;
    const path = "/runners/reset_authentication_token";
    const { status, body } = await world.call("POST", path, { json: { token } });
    expect([status, body]).toEqual([201, { token: expect.stringMatching(/^glrt-\w{20}$/), token_expires_at: null }]);
    expect((await world.call("POST", "/runners/verify", { json: { token } })).status).toBe(403);
    expect((await world.call("POST", "/runners/verify", { json: { token: body.token } })).body.id).toBe(id);
    expect((await world.call("POST", path, { json: { token } })).status).toBe(403);
  });

  test("removes one of its machines, known or not", async () => {
    const { id, token } = (await create({ runner_type: "instance_type" })).body;
    await world.call("POST", "/runners/verify", { json: { token, system_id: "s_1" } });
    const known = () => world.store.of(runnerManagers).by.runner_id.find(id).size;
    expect(known()).toBe(1);
    for (const system_id of ["s_1", "s_2"]) {
      expect((await world.call("DELETE", "/runners/managers", { json: { token, system_id } })).status).toBe(204);
    }
    expect(known()).toBe(0);
    const { status, body } = await world.call("DELETE", "/runners/managers", { json: { token } });
    expect([status, body.error]).toEqual([400, "system_id is missing, system_id is empty"]);
  });

  test("deletes itself", async () => {
    const { token } = (await create({ runner_type: "instance_type" })).body;
    expect((await world.call("DELETE", "/runners", { json: { token } })).status).toBe(204);
    expect((await world.call("DELETE", "/runners", { json: { token } })).status).toBe(403);
    expect((await world.call("POST", "/runners/verify", { json: { token } })).status).toBe(403);
  });
});

test("the runners of a group and of its projects are deleted with them", async () => {
  const group = makeGroup();
  const project = makeProject(group.id);
  const ofGroup = (await create({ runner_type: "group_type", group_id: group.id })).body;
  const ofProject = (await create({ runner_type: "project_type", project_id: project.id })).body;
  expect((await world.call("DELETE", `/groups/${group.id}`, { token: rootToken })).status).toBe(202);
  await world.jobsDone();
  expect([ofGroup, ofProject].map(({ id }) => world.store.of(runners).get(id))).toEqual([undefined, undefined]);
});

test("machines without contact for a week are removed", async () => {
  const { id, token } = (await create({ runner_type: "instance_type" })).body;
  for (const system_id of ["s_1", "s_2"]) await world.call("POST", "/runners/verify", { json: { token, system_id } });
  const managers = () => world.store.statistics().documents["runner-managers"] as number;
  const before = managers();
  world.clock.advanceDays(8);
  await world.call("POST", "/runners/verify", { json: { token, system_id: "s_2" } });
  await world.jobsDone();
  expect(managers()).toBeLessThan(before);
  world.clock.advanceDays(1);
  await world.jobsDone();
  expect(world.store.of(runners).get(id)).toBeDefined();
});

describe("registering", () => {
  const register = (json: object) => world.call("POST", "/runners", { json });
  const reset = (path = "", token = rootToken) =>
    world.call("POST", `${path}/runners/reset_registration_token`, { token });

  test("with the token of the instance, a group or a project creates a runner for it", async () => {
    const group = makeGroup();
    const project = makeProject(group.id);
    const shown = async (path: string) => {
      const { token } = (await reset(path)).body;
      expect((await world.get(path)).body.runners_token).toBe(token);
      return token;
    };
    const own = await reset();
    expect([own.status, own.body]).toEqual([
      201,
      { token: expect.stringMatching(/^GR1348941i_\w{20}$/), token_expires_at: null },
    ]);
    for (const [token, expected] of [
      [own.body.token, { runner_type: "instance_type", group_id: null, project_ids: [] }],
      [await shown(`/groups/${group.id}`), { runner_type: "group_type", group_id: group.id, project_ids: [] }],
      [
        await shown(`/projects/${project.id}`),
        { runner_type: "project_type", group_id: null, project_ids: [project.id] },
      ],
    ] as const) {
      const json = { description: "one", active: false, tag_list: "b,a", locked: true, maintainer_note: "note" };
      const { status, body } = await register({ ...json, token, info: { version: "16.0" } });
      expect([status, body]).toEqual([
        201,
        { id: expect.any(Number), token: expect.stringMatching(/^\w{20}$/), token_expires_at: null },
      ]);
      expect(world.store.of(runners).get(body.id)).toMatchObject({
        ...expected,
        ...{ description: "one", paused: true, tag_list: ["a", "b"], locked: true, maintenance_note: "note" },
      });
      expect((await world.call("POST", "/runners/verify", { json: { token: body.token } })).body.id).toBe(body.id);
    }
  });

  test("is refused with any other token, and with a replaced one", async () => {
    const group = makeGroup();
    const project = makeProject(group.id);
    for (const path of ["", `/groups/${group.id}`, `/projects/${project.id}`]) {
      const before = (await reset(path)).body.token;
      const after = (await reset(path)).body.token;
      expect([(await register({ token: before })).status, (await register({ token: after })).status]).toEqual([
        403, 201,
      ]);
    }
    const wrong = `GR1348941p${project.id}_${"x".repeat(20)}`;
    for (const token of ["", "x", rootToken, wrong, "GR1348941p999999_x"]) {
      const { status, body } = await register({ token });
      expect([status, body]).toEqual([403, { message: "403 Forbidden - invalid token supplied" }]);
    }
    expect((await register({})).body.error).toBe("token is missing");
    const { token } = (await reset(`/projects/${project.id}`)).body;
    const invalid = await register({ token, maximum_timeout: 5, run_untagged: false });
    expect([invalid.status, invalid.body.message]).toEqual([
      400,
      {
        tags_list: ["can not be empty when runner is not allowed to pick untagged jobs"],
        maximum_timeout: ["needs to be at least 10 minutes"],
      },
    ]);
    await world.call("DELETE", `/projects/${project.id}`, { token: rootToken });
    expect((await register({ token })).status).toBe(403);
  });
});
