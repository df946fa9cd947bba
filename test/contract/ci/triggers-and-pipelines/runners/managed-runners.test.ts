import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { putRunningJob } from "../../../../support/ci/running-job.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group: makeGroup, project: makeProject, member } = placesOf(world);

const create = async (json: object): Promise<Json> =>
  (await world.call("POST", "/user/runners", { token: rootToken, json })).body;
const ids = ({ body }: Json) => body.map(({ id }: Json) => id);

const group = makeGroup({ path: "bank" });
const inner = makeGroup({ path: "inner", parent_id: group.id });
const project = makeProject(inner.id, { path: "ledger" });
const other = makeProject(makeGroup().id);
const ofAll = await create({ runner_type: "instance_type", tag_list: "a,b" });
const ofGroup = await create({ runner_type: "group_type", group_id: group.id, paused: true, tag_list: "a" });
const ofProject = await create({ runner_type: "project_type", project_id: project.id, description: "own" });
const ofOther = await create({ runner_type: "project_type", project_id: other.id });
const owner = await world.user();
member(group, owner.id, accessLevels.owner);
const stranger = await world.user();

describe("lists, newest first", () => {
  test("of all runners are for administrators", async () => {
    expect(ids(await world.get("/runners/all"))).toEqual([ofOther.id, ofProject.id, ofGroup.id, ofAll.id]);
    expect((await world.call("GET", "/runners/all", { token: owner.token })).status).toBe(403);
  });

  test("of the caller's own are those of owned groups and maintained projects", async () => {
    expect(ids(await world.call("GET", "/runners", { token: owner.token }))).toEqual([ofProject.id, ofGroup.id]);
    expect(ids(await world.call("GET", "/runners", { token: stranger.token }))).toEqual([]);
  });

  test("of a project and of a group have the runners that may take their jobs", async () => {
    expect(ids(await world.get(`/projects/${project.id}/runners`))).toEqual([ofProject.id, ofGroup.id, ofAll.id]);
    expect(ids(await world.get(`/groups/${inner.id}/runners`))).toEqual([ofGroup.id, ofAll.id]);
    const [maintainer, developer] = [await world.user(), await world.user()];
    member(inner, maintainer.id, accessLevels.maintainer);
    member(inner, developer.id, accessLevels.developer);
    const path = `/groups/${inner.id}/runners`;
    expect(ids(await world.call("GET", path, { token: maintainer.token }))).toEqual([ofGroup.id, ofAll.id]);
    expect((await world.call("GET", path, { token: developer.token })).status).toBe(403);
    const json = { shared_runners_enabled: false, group_runners_enabled: false };
    await world.call("PUT", `/projects/${other.id}`, { token: rootToken, json });
    expect(ids(await world.get(`/projects/${other.id}/runners`))).toEqual([ofOther.id]);
  });

  test.each([
    [{ type: "group_type" }, () => [ofGroup.id]],
    [{ paused: true }, () => [ofGroup.id]],
    [{ tag_list: "a" }, () => [ofGroup.id, ofAll.id]],
    [{ tag_list: "a,b", paused: false }, () => [ofAll.id]],
    [{ status: "paused" }, () => [ofGroup.id]],
    [{ status: "active", type: "instance_type" }, () => [ofAll.id]],
    [{ scope: "shared" }, () => [ofAll.id]],
    [{ scope: "specific", paused: false }, () => [ofOther.id, ofProject.id]],
    [{ scope: "project_type" }, () => [ofOther.id, ofProject.id]],
    [{ version_prefix: "17." }, () => []],
  ])("filtered by %j", async (query, expected) => {
    expect(ids(await world.get("/runners/all", { query }))).toEqual(expected());
  });
});

test("a runner is shown to users who may change it", async () => {
  const { status, body } = await world.call("GET", `/runners/${ofProject.id}`, { token: owner.token });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ id: ofProject.id, description: "own", ip_address: null, active: true, paused: false, is_shared: false },
    ...{ runner_type: "project_type", name: null, online: null, created_at: world.clock.time() },
    ...{ version: null, revision: null, platform: null, architecture: null },
    created_by: expect.objectContaining({ username: "root", state: "active" }),
    job_execution_status: "idle",
    ...{ status: "never_contacted", tag_list: [], run_untagged: true, locked: false, access_level: "not_protected" },
    ...{ maximum_timeout: null, maintenance_note: null, contacted_at: null, groups: [] },
    projects: [
      {
        ...{ id: project.id, name: "ledger", path: "ledger", path_with_namespace: "bank/inner/ledger" },
        ...{ description: null, name_with_namespace: "bank / inner / ledger", created_at: world.clock.time() },
        web_url: `${world.origin}/bank/inner/ledger`,
      },
    ],
  });
  const ofTheGroup = await world.get(`/runners/${ofGroup.id}`);
  expect(ofTheGroup.body.groups).toEqual([{ id: group.id, name: "bank", web_url: `${world.origin}/groups/bank` }]);
  for (const [id, token, expected] of [
    [ofOther.id, owner.token, [403, "403 Forbidden - No access granted"]],
    [ofProject.id, stranger.token, [403, "403 Forbidden - No access granted"]],
    [999_999, rootToken, [404, "404 Runner Not Found"]],
  ] as const) {
    const answer = await world.call("GET", `/runners/${id}`, { token });
    expect([answer.status, answer.body.message]).toEqual([...expected]);
  }
});

test("a runner is changed only by users with the right to", async () => {
  const path = `/runners/${ofProject.id}`;
  const json = { paused: true, tag_list: ["x"], run_untagged: false, maximum_timeout: 900, description: "other" };
  const { status, body } = await world.call("PUT", path, { token: owner.token, json });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...json, active: false });
  const refused = await world.call("PUT", path, { token: owner.token, json: { tag_list: [] } });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    { tags_list: ["can not be empty when runner is not allowed to pick untagged jobs"] },
  ]);
  expect((await world.call("PUT", path, { token: stranger.token, json })).status).toBe(403);
});

test("tokens with the scope manage_runner do everything with one runner, and list none", async () => {
  const { id } = await create({ runner_type: "project_type", project_id: project.id });
  const { token } = await world.token(owner.id, { scopes: ["manage_runner"] });
  const ask = async (method: string, end: string, json?: object) =>
    (await world.call(method, `/runners${end}`, { token, ...(json === undefined ? {} : { json }) })).status;
  expect(await ask("GET", "")).toBe(403);
  expect(await ask("GET", `/${id}`)).toBe(200);
  expect(await ask("PUT", `/${id}`, { description: "managed" })).toBe(200);
  expect(await ask("GET", `/${id}/managers`)).toBe(200);
  expect(await ask("GET", `/${id}/jobs`)).toBe(200);
  expect(await ask("POST", `/${id}/reset_authentication_token`)).toBe(201);
  const json = { runner_type: "project_type", project_id: project.id };
  expect((await world.call("POST", "/user/runners", { token, json })).status).toBe(403);
  const creator = await world.token(owner.id, { scopes: ["create_runner"] });
  expect((await world.call("GET", `/runners/${id}`, { token: creator.token })).status).toBe(403);
  expect((await world.call("POST", "/user/runners", { token: creator.token, json })).status).toBe(201);
  expect(await ask("DELETE", `/${id}`)).toBe(204);
});

test("a runner of the instance is shown to all signed-in users, and changed by administrators", async () => {
  const path = `/runners/${ofAll.id}`;
  const { status, body } = await world.call("GET", path, { token: stranger.token });
  expect([status, body.runner_type]).toEqual([200, "instance_type"]);
  expect((await world.call("GET", path)).status).toBe(401);
  for (const method of ["PUT", "DELETE"] as const) {
    const refused = await world.call(method, path, { token: stranger.token, json: { paused: true } });
    expect([refused.status, refused.body.message]).toEqual([403, "403 Forbidden - No access granted"]);
  }
});

test("active is the opposite of paused, null clears, and an empty change changes nothing", async () => {
  const { id } = await create({ runner_type: "instance_type", description: "x", maximum_timeout: 900 });
  const put = (json: object) => world.call("PUT", `/runners/${id}`, { token: rootToken, json });
  expect((await put({ active: false })).body).toMatchObject({ active: false, paused: true });
  expect((await put({ active: true })).body).toMatchObject({ active: true, paused: false });
  expect((await put({ active: true, paused: true })).body.error).toBe("active, paused are mutually exclusive");
  expect((await put({ description: null, maximum_timeout: null })).body).toMatchObject({
    description: null,
    maximum_timeout: null,
  });
  const none = await put({});
  expect([none.status, none.body.error]).toEqual([
    400,
    expect.stringMatching(/at least one parameter must be provided$/),
  ]);
});

/** Lists are cached for a second. */
const secondMs = 1_000;

describe("the last contact of a runner", () => {
  const hourMs = 60 * 60 * 1000;

  test("decides its status, which is also a filter", async () => {
    const { id, token } = await create({ runner_type: "instance_type", description: "heard of" });
    const contact = () => world.call("POST", "/runners/verify", { json: { token } });
    const seen = async () => {
      const { status, online } = (await world.get(`/runners/${id}`)).body;
      for (const each of ["never_contacted", "online", "offline", "stale"]) {
        const found = ids(await world.get("/runners/all", { query: { status: each } }));
        expect(found.includes(id)).toBe(each === status);
      }
      return [status, online];
    };
    expect(await seen()).toEqual(["never_contacted", null]);
    world.clock.advance(7 * 24 * hourMs - secondMs);
    expect(await seen()).toEqual(["never_contacted", null]);
    world.clock.advance(secondMs);
    expect(await seen()).toEqual(["stale", null]);
    await contact();
    expect(await seen()).toEqual(["online", true]);
    world.clock.advance(2 * hourMs - secondMs);
    expect(await seen()).toEqual(["online", true]);
    world.clock.advance(secondMs);
    expect(await seen()).toEqual(["offline", false]);
    world.clock.advance(7 * 24 * hourMs - 2 * hourMs - secondMs);
    expect(await seen()).toEqual(["offline", false]);
    world.clock.advance(secondMs);
    expect(await seen()).toEqual(["stale", false]);
  });

  test("comes from its machines, which are listed", async () => {
    const { id, token } = await create({ runner_type: "instance_type" });
    for (const [system_id, version] of [
      ["s_1", "16.11.0"],
      ["s_2", "17.2.1"],
    ]) {
      const info = { version, revision: "abc", platform: "linux", architecture: "arm64" };
      await world.call("POST", "/jobs/request", { json: { token, system_id, info } });
    }
    const managers = (await world.call("GET", `/runners/${id}/managers`, { token: stranger.token })).body;
    expect(managers.map(({ system_id, version, status }: Json) => [system_id, version, status])).toEqual([
      ["s_2", "17.2.1", "online"],
      ["s_1", "16.11.0", "online"],
    ]);
    const shown = (await world.get(`/runners/${id}`)).body;
    expect(shown).toMatchObject({ version: "17.2.1", revision: "abc", platform: "linux", architecture: "arm64" });
    const withVersion = async (version_prefix: string) =>
      ids(await world.get("/runners/all", { query: { version_prefix } })).includes(id);
    expect([await withVersion("16."), await withVersion("17.2.1"), await withVersion("15")]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await world.get("/runners/all", { query: { version_prefix: "x" } })).body.error).toBe(
      "version_prefix is invalid",
    );
  });
});

describe("a runner of a project", () => {
  const enable = (id: number, runner_id: number, token = rootToken) =>
    world.call("POST", `/projects/${id}/runners`, { token, json: { runner_id } });
  const disable = (id: number, runner_id: number, token = rootToken) =>
    world.call("DELETE", `/projects/${id}/runners/${runner_id}`, { token });
  const served = async (id: number) => (await world.get(`/runners/${id}`)).body.projects.map((each: Json) => each.id);

  test("serves another one too, until it is removed again", async () => {
    const [one, two] = [makeProject(makeGroup().id), makeProject(makeGroup().id)];
    const { id } = await create({ runner_type: "project_type", project_id: one.id });
    const added = await enable(two.id, id);
    expect([added.status, added.body.id, await served(id)]).toEqual([201, id, [one.id, two.id]]);
    const owned = {
      message: "403 Forbidden - You cannot unassign a runner from the owner project. Delete the runner instead",
    };
    const first = await disable(one.id, id);
    expect([first.status, first.body, await served(id)]).toEqual([403, owned, [one.id, two.id]]);
    const again = await enable(two.id, id);
    expect([again.status, again.body.message]).toEqual([
      400,
      "400 Bad request - Runner is already assigned to project",
    ]);
    expect([(await disable(two.id, id)).status, await served(id)]).toEqual([204, [one.id]]);
    const unknown = await disable(two.id, id);
    expect([unknown.status, unknown.body.message]).toEqual([404, "404 Runner Not Found"]);
    expect((await disable(one.id, id)).body).toEqual(owned);
  });

  test("is assigned by a maintainer of both, unless it is locked, and then deleted only by administrators", async () => {
    const [one, two] = [makeProject(makeGroup().id), makeProject(makeGroup().id)];
    const both = await world.user();
    const borrower = await world.user();
    for (const each of [one, two]) member(each, both.id, accessLevels.maintainer);
    member(two, borrower.id, accessLevels.maintainer);
    const { id } = await create({ runner_type: "project_type", project_id: one.id });
    expect((await enable(two.id, id, borrower.token)).body.message).toBe("403 Forbidden - No access granted");
    await world.call("PUT", `/runners/${id}`, { token: rootToken, json: { locked: true } });
    expect((await enable(two.id, id, both.token)).body.message).toBe("403 Forbidden - Runner is locked");
    await world.call("PUT", `/runners/${id}`, { token: rootToken, json: { locked: false } });
    expect((await enable(two.id, id, both.token)).status).toBe(201);
    const seen = (await world.call("GET", `/runners/${id}`, { token: borrower.token })).body.projects;
    expect(seen.map((each: Json) => each.id)).toEqual([two.id]);
    const reset = `/runners/${id}/reset_authentication_token`;
    expect((await world.call("POST", reset, { token: borrower.token })).status).toBe(403);
    const change = { token: borrower.token, json: { paused: true } };
    expect((await world.call("PUT", `/runners/${id}`, change)).status).toBe(403);
    expect((await world.call("POST", reset, { token: both.token })).status).toBe(201);
    const refused = await world.call("DELETE", `/runners/${id}`, { token: both.token });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "403 Forbidden - Runner associated with more than one project",
    ]);
    expect((await world.call("DELETE", `/runners/${id}`, { token: rootToken })).status).toBe(204);
  });

  test("is the only kind that can be assigned", async () => {
    expect((await enable(other.id, ofGroup.id)).body.message).toBe("403 Forbidden - Runner is a group runner");
    expect((await enable(other.id, ofAll.id)).body.message).toBe("403 Forbidden - Runner is an instance runner");
    expect((await enable(other.id, 999_999)).body.message).toBe("404 Runner Not Found");
    const { status, body } = await world.call("POST", `/projects/${other.id}/runners`, { token: rootToken, json: {} });
    expect([status, body.error]).toEqual([400, "runner_id is missing"]);
  });
});

test("users who may change a runner see its jobs, as far as they may read them", async () => {
  const [one, two] = [makeProject(makeGroup().id), makeProject(makeGroup().id)];
  const { id, token } = await create({ runner_type: "project_type", project_id: one.id });
  await world.call("POST", `/projects/${two.id}/runners`, { token: rootToken, json: { runner_id: id } });
  await world.call("POST", "/runners/verify", { json: { token, system_id: "s_1" } });
  const [manager] = (await world.get(`/runners/${id}/managers`)).body;
  const mine = { runner_id: id, runner_manager_id: manager.id };
  const first = putRunningJob(world, one.id, 1, mine).job;
  const second = putRunningJob(world, two.id, 1, { runner_id: id, status: "success" }).job;
  putRunningJob(world, one.id, 1);
  const path = `/runners/${id}/jobs`;
  const { status, body } = await world.get(path);
  expect([status, ids({ body })]).toEqual([200, [second.id, first.id]]);
  expect(body[1]).toMatchObject({ status: "running", project: { id: one.id, path: one.path } });
  const listed = async (query: Readonly<Record<string, string>>, person = rootToken) =>
    ids(await world.call("GET", path, { token: person, query }));
  expect(await listed({ status: "success" })).toEqual([second.id]);
  expect(await listed({ order_by: "id", sort: "asc" })).toEqual([first.id, second.id]);
  expect([await listed({ system_id: "s_1" }), await listed({ system_id: "s_2" })]).toEqual([[first.id], []]);
  const person = await world.user();
  member(one, person.id, accessLevels.maintainer);
  expect(await listed({}, person.token)).toEqual([first.id]);
  const refused = await world.call("GET", path, { token: stranger.token });
  expect([refused.status, refused.body.message]).toEqual([403, "403 Forbidden - No access granted"]);
  await world.call("DELETE", `/projects/${two.id}`, { token: rootToken });
  expect(await listed({})).toEqual([first.id]);
});

test("its token is reset, and it is deleted", async () => {
  const { id, token } = await create({ runner_type: "group_type", group_id: group.id });
  const reset = await world.call("POST", `/runners/${id}/reset_authentication_token`, { token: owner.token });
  expect(reset.status).toBe(201);
  const verify = async (given: string) =>
    (await world.call("POST", "/runners/verify", { json: { token: given } })).status;
  expect([await verify(token), await verify(reset.body.token)]).toEqual([403, 200]);
  expect((await world.call("DELETE", `/runners/${id}`, { token: stranger.token })).status).toBe(403);
  expect((await world.call("DELETE", `/runners/${id}`, { token: owner.token })).status).toBe(204);
  expect((await world.get(`/runners/${id}`)).status).toBe(404);
});
