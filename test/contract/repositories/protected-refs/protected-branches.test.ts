import { describe, expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const [dev, maintainer, guest] = [await world.user({ name: "Dora" }), await world.user(), await world.user()];
let count = 0;

async function project(on = world, others: object = {}) {
  count += 1;
  const json = { path: `ruled${count}`, initialize_with_readme: true, ...others };
  const { body } = await on.call("POST", "/projects", { token: rootToken, json });
  const rules = `/projects/${body.id}/protected_branches`;
  const call = (method: string, end = "", sent?: object, token = rootToken) =>
    on.call(method, `${rules}${end}`, sent === undefined ? { token } : { token, json: sent });
  return { ...body, call };
}

async function withMembers(others: object = {}) {
  const made = await project(world, others);
  addMember(world, made, dev, "developer", "project");
  addMember(world, made, maintainer, "maintainer", "project");
  addMember(world, made, guest, "guest", "project");
  return made;
}

const levels = (rule: Json) => [
  rule.push_access_levels.map((row: Json) => row.access_level),
  rule.merge_access_levels.map((row: Json) => row.access_level),
];

describe("protected branches", () => {
  test("are made with the levels that are said, 40 by default", async () => {
    const { call } = await withMembers();
    const row = {
      id: expect.any(Number),
      access_level: 40,
      access_level_description: "Maintainers",
      deploy_key_id: null,
      user_id: null,
      group_id: null,
    };
    const { status, body } = await call("POST", "", { name: "*-stable" }, maintainer.token);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: "*-stable",
        push_access_levels: [row],
        merge_access_levels: [row],
        unprotect_access_levels: [],
        allow_force_push: false,
        code_owner_approval_required: false,
        inherited: false,
      },
    ]);
    const said = { push_access_level: 0, merge_access_level: 30, allow_force_push: true };
    const second = (await call("POST", "", { name: "release/*", ...said })).body;
    expect([levels(second), second.allow_force_push]).toEqual([[[0], [30]], true]);
    expect(second.push_access_levels[0].access_level_description).toBe("No one");
    expect(second.merge_access_levels[0].access_level_description).toBe("Developers + Maintainers");
  });

  test("are listed by name, found by a part of it, and read by those who read the code", async () => {
    const { call } = await withMembers();
    for (const name of ["stable", "*-Stab", "next"]) await call("POST", "", { name });
    const names = async (query: string, token = dev.token) =>
      (await call("GET", query, undefined, token)).body.map((rule: Json) => rule.name);
    expect(await names("")).toEqual(["*-Stab", "main", "next", "stable"]);
    expect(await names("?search=stab")).toEqual(["*-Stab", "stable"]);
    expect((await call("GET", "?per_page=1&page=2", undefined, dev.token)).headers.get("x-total")).toBe("4");
    expect((await call("GET", "/*-Stab", undefined, dev.token)).body.name).toBe("*-Stab");
    expect((await call("GET", "", undefined, guest.token)).status).toBe(403);
    expect((await call("GET", "/main", undefined, guest.token)).status).toBe(403);
    const unknown = await call("GET", "/a-Stab");
    expect([unknown.status, unknown.body]).toEqual([404, { message: "404 Not found" }]);
  });

  test("refuse what they cannot be", async () => {
    const { call } = await withMembers();
    const refusal = async (sent: object, token = rootToken) => {
      const { status, body } = await call("POST", "", sent, token);
      return [status, body.error ?? body.message];
    };
    expect(await refusal({ name: "main" })).toEqual([409, "Protected branch 'main' already exists"]);
    expect(await refusal({})).toEqual([400, "name is missing"]);
    expect(await refusal({ name: " " })).toEqual([422, ["Name can't be blank"]]);
    expect(await refusal({ name: "a", push_access_level: 20 })).toEqual([
      400,
      "push_access_level does not have a valid value",
    ]);
    expect((await refusal({}, dev.token))[0]).toBe(403);
    expect(await refusal({ name: "a", allowed_to_push: [{ user_id: 1, access_level: 30 }] })).toEqual([
      400,
      "allowed_to_push[0][access_level], allowed_to_push[0][user_id] are mutually exclusive",
    ]);
    expect((await refusal({ name: "a", allowed_to_merge: [{}] }))[0]).toBe(400);
    const stranger = await world.user();
    expect(await refusal({ name: "a", allowed_to_push: [{ user_id: stranger.id }] })).toEqual([
      422,
      ["Push access levels user is not a member of the project"],
    ]);
    expect(await refusal({ name: "a", push_access_level: 30, allowed_to_push: [{ access_level: 30 }] })).toEqual([
      422,
      ["Push access levels access level has already been taken"],
    ]);
    expect((await refusal({ name: "a", allowed_to_unprotect: [{ access_level: 0 }] }))[0]).toBe(422);
  });

  test("let in users and groups by name", async () => {
    const owner = (
      await world.call("POST", "/groups", { token: rootToken, json: { name: "Reviewers", path: "reviewers" } })
    ).body;
    const { call } = await withMembers();
    const unknown = await call("POST", "", { name: "a", allowed_to_merge: [{ group_id: owner.id }] });
    expect(unknown.body.message).toEqual(["Merge access levels group does not have access to the project"]);
    const inGroup = await withMembers({ namespace_id: owner.id });
    const { body } = await inGroup.call("POST", "", {
      name: "next",
      allowed_to_push: [{ user_id: dev.id }, { access_level: 60 }],
      allowed_to_merge: [{ group_id: owner.id }],
    });
    expect(
      body.push_access_levels.map((row: Json) => [row.access_level, row.user_id, row.access_level_description]),
    ).toEqual([
      [null, dev.id, "Dora"],
      [60, null, "Instance admins"],
    ]);
    expect(body.merge_access_levels[0]).toMatchObject({ group_id: owner.id, access_level_description: "Reviewers" });
    const write = (token: string) =>
      world.call("POST", `/projects/${inGroup.id}/repository/branches`, {
        token,
        json: { branch: "next", ref: "main" },
      });
    expect((await write(maintainer.token)).status).toBe(400);
    expect((await write(dev.token)).status).toBe(201);
  });

  test("take rows from a query, as a client sends them", async () => {
    const { call } = await withMembers();
    const query = `?name=next&push_access_level=0&allowed_to_push[][user_id]=${dev.id}`;
    const { status, body } = await call("POST", query);
    expect([status, levels(body)]).toEqual([201, [[0, null], [40]]]);
  });

  test("are changed row by row", async () => {
    const { call } = await withMembers();
    const { body } = await call("POST", "", { name: "a/b", push_access_level: 30 });
    const [row] = body.push_access_levels;
    const patch = async (sent: object) => call("PATCH", "/a%2Fb", sent, maintainer.token);
    expect(levels((await patch({ allowed_to_push: [{ access_level: 40 }], name: "other" })).body)).toEqual([
      [30, 40],
      [40],
    ]);
    expect(levels((await patch({ allowed_to_push: [{ id: row.id, access_level: 0 }] })).body)).toEqual([[0, 40], [40]]);
    const named = (await patch({ allowed_to_push: [{ id: row.id, user_id: dev.id }] })).body;
    expect(named.push_access_levels[0]).toMatchObject({ id: row.id, user_id: dev.id, access_level: null });
    expect(levels((await patch({ allowed_to_push: [{ id: row.id, _destroy: true }] })).body)).toEqual([[40], [40]]);
    expect((await patch({ allowed_to_push: [{ id: row.id, access_level: 0 }] })).status).toBe(404);
    expect((await patch({ allow_force_push: true })).body).toMatchObject({ name: "a/b", allow_force_push: true });
    expect((await patch({ allow_force_push: null })).body.error).toBe("allow_force_push is empty");
    expect((await call("PATCH", "/nowhere", { allow_force_push: true })).status).toBe(404);
    const before = world.events().length;
    await patch({ allow_force_push: true });
    expect(world.events().length).toBe(before);
  });

  test("are removed by maintainers, or by those who may unprotect", async () => {
    const { call } = await withMembers();
    await call("POST", "", { name: "a", unprotect_access_level: 60 });
    expect((await call("DELETE", "/a", undefined, maintainer.token)).status).toBe(403);
    expect((await call("PATCH", "/a", { allow_force_push: true }, maintainer.token)).status).toBe(403);
    expect((await call("DELETE", "/a")).status).toBe(204);
    expect((await call("DELETE", "/main", undefined, dev.token)).status).toBe(403);
    expect((await call("DELETE", "/main", undefined, maintainer.token)).status).toBe(204);
    expect((await call("DELETE", "/main")).status).toBe(404);
  });

  test("are protected and unprotected in the old form, which answers the branch", async () => {
    const { id } = await withMembers();
    const put = async (end: string, sent: object = {}, token = maintainer.token) =>
      world.call("PUT", `/projects/${id}/repository/branches/${end}`, { token, json: sent });
    expect((await put("main/protect", { developers_can_push: true })).body).toMatchObject({
      name: "main",
      protected: true,
      developers_can_push: true,
      developers_can_merge: false,
    });
    expect((await put("main/protect", { developers_can_merge: true })).body).toMatchObject({
      developers_can_push: true,
      developers_can_merge: true,
    });
    expect((await put("main/protect", { developers_can_push: false })).body.developers_can_push).toBe(false);
    for (let twice = 0; twice < 2; twice += 1) {
      const { status, body } = await put("main/unprotect");
      expect([status, body.protected]).toEqual([200, false]);
    }
    expect((await put("nowhere/protect")).body).toEqual({ message: "404 Branch Not Found" });
    expect((await put("main/protect", {}, dev.token)).status).toBe(403);
  });
});

test("in community, lists of users and groups are ignored and not shown", async () => {
  const community = await startWorld({ edition: "community" });
  const { call } = await project(community);
  const sent = { name: "a", allowed_to_push: [{ user_id: 1 }], code_owner_approval_required: true };
  const { status, body } = await call("POST", "", { ...sent, unprotect_access_level: 0 });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    name: "a",
    push_access_levels: [
      { id: expect.any(Number), access_level: 40, access_level_description: "Maintainers", deploy_key_id: null },
    ],
    merge_access_levels: [expect.anything()],
    allow_force_push: false,
    code_owner_approval_required: false,
  });
});
