import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { placesOf } from "../../support/places.ts";
import { type Json, rootToken, startWorld } from "../../support/world.ts";

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
  test("of everything are for administrators", async () => {
    expect(ids(await world.get("/runners/all"))).toEqual([ofOther.id, ofProject.id, ofGroup.id, ofAll.id]);
    expect((await world.call("GET", "/runners/all", { token: owner.token })).status).toBe(403);
  });

  test("of one's own are those of owned groups and maintained projects", async () => {
    expect(ids(await world.call("GET", "/runners", { token: owner.token }))).toEqual([ofProject.id, ofGroup.id]);
    expect(ids(await world.call("GET", "/runners", { token: stranger.token }))).toEqual([]);
  });

  test("of a project and of a group are what may take their jobs", async () => {
    expect(ids(await world.get(`/projects/${project.id}/runners`))).toEqual([ofProject.id, ofGroup.id, ofAll.id]);
    expect(ids(await world.get(`/groups/${inner.id}/runners`))).toEqual([ofGroup.id, ofAll.id]);
    const json = { shared_runners_enabled: false, group_runners_enabled: false };
    await world.call("PUT", `/projects/${other.id}`, { token: rootToken, json });
    expect(ids(await world.get(`/projects/${other.id}/runners`))).toEqual([ofOther.id]);
  });

  test.each([
    [{ type: "group_type" }, () => [ofGroup.id]],
    [{ paused: true }, () => [ofGroup.id]],
    [{ tag_list: "a" }, () => [ofGroup.id, ofAll.id]],
    [{ tag_list: "a,b", paused: false }, () => [ofAll.id]],
  ])("filtered by %j", async (query, expected) => {
    expect(ids(await world.get("/runners/all", { query }))).toEqual(expected());
  });
});

test("a runner is shown to who may change it", async () => {
  const { status, body } = await world.call("GET", `/runners/${ofProject.id}`, { token: owner.token });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ id: ofProject.id, description: "own", ip_address: "", active: true, paused: false, is_shared: false },
    ...{ runner_type: "project_type", name: null, online: null, created_at: world.clock.time() },
    ...{ status: "never_contacted", tag_list: [], run_untagged: true, locked: false, access_level: "not_protected" },
    ...{ maximum_timeout: null, maintenance_note: null, contacted_at: null, groups: [] },
    projects: [
      {
        ...{ id: project.id, name: "ledger", path: "ledger", path_with_namespace: "bank/inner/ledger" },
        web_url: `${world.origin}/bank/inner/ledger`,
      },
    ],
  });
  const ofTheGroup = await world.get(`/runners/${ofGroup.id}`);
  expect(ofTheGroup.body.groups).toEqual([{ id: group.id, name: "bank", web_url: `${world.origin}/groups/bank` }]);
  for (const [id, token, expected] of [
    [ofAll.id, owner.token, [403, "403 Forbidden - No access granted"]],
    [ofOther.id, owner.token, [403, "403 Forbidden - No access granted"]],
    [ofProject.id, stranger.token, [403, "403 Forbidden - No access granted"]],
    [999_999, rootToken, [404, "404 Runner Not Found"]],
  ] as const) {
    const answer = await world.call("GET", `/runners/${id}`, { token });
    expect([answer.status, answer.body.message]).toEqual([...expected]);
  }
});

test("and changed by them, and by nobody else", async () => {
  const path = `/runners/${ofProject.id}`;
  const json = { paused: true, tag_list: ["x"], run_untagged: false, maximum_timeout: 900, description: "other" };
  const { status, body } = await world.call("PUT", path, { token: owner.token, json });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...json, active: false });
  const refused = await world.call("PUT", path, { token: owner.token, json: { tag_list: [] } });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    "400 Bad request - Tags list can not be empty when runner is not allowed to pick untagged jobs",
  ]);
  expect((await world.call("PUT", path, { token: stranger.token, json })).status).toBe(403);
});

test("its token is changed, and it is deleted", async () => {
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
