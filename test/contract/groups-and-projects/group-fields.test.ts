import { describe, expect, test } from "bun:test";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
let count = 0;

async function make(more: object = {}): Promise<Json> {
  const path = `group-${++count}`;
  const { status, body, text } = await world.call("POST", "/groups", {
    token: ann.token,
    json: { name: path, path, ...more },
  });
  if (status !== 201) throw new Error(text);
  return body;
}
const put = (id: number, json: object, token: string = ann.token) =>
  world.call("PUT", `/groups/${id}`, { token, json });

describe("PUT /groups/:id", () => {
  test("takes the largest size of artifacts from administrators, and drops it for others", async () => {
    const { id, max_artifacts_size } = await make();
    expect(max_artifacts_size).toBeNull();
    expect((await put(id, { max_artifacts_size: 1 })).body.max_artifacts_size).toBeNull();
    expect((await put(id, { max_artifacts_size: 1 }, rootToken)).body.max_artifacts_size).toBe(1);
    const { status, body } = await put(id, { max_artifacts_size: 0 }, rootToken);
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: { max_artifacts_size: ["must be greater than 0"] } },
    });
  });

  test("sets limits on formulas", async () => {
    const made = await make();
    expect(made).toMatchObject({ math_rendering_limits_enabled: true, lock_math_rendering_limits_enabled: false });
    const given = { math_rendering_limits_enabled: false, lock_math_rendering_limits_enabled: true };
    expect((await put(made.id, given)).body).toMatchObject(given);
  });

  test("sets the protocols of git for a top-level group", async () => {
    const made = await make({ enabled_git_access_protocol: "all" });
    expect(made).not.toHaveProperty("enabled_git_access_protocol");
    for (const protocol of ["ssh", "http", "all"]) {
      const { status, body } = await put(made.id, { enabled_git_access_protocol: protocol });
      expect([status, body.enabled_git_access_protocol]).toEqual([200, protocol]);
    }
    expect((await put(made.id, { enabled_git_access_protocol: "ftp" })).body.error).toBe(
      "enabled_git_access_protocol does not have a valid value",
    );
    const below = await make({ parent_id: made.id });
    const { body } = await put(below.id, { enabled_git_access_protocol: "ssh" });
    expect(body).not.toHaveProperty("enabled_git_access_protocol");
  });

  test("clears the name of the default branch with an empty text", async () => {
    const { id, default_branch } = await make({ default_branch: "trunk" });
    expect(default_branch).toBe("trunk");
    expect((await put(id, { default_branch: "" })).body.default_branch).toBeNull();
  });
});

test("min_access_level of shared and invited groups counts the caller's own memberships", async () => {
  const main = await make();
  const asDeveloper = places.group({ path: "as-developer" });
  const asReporter = places.group({ path: "as-reporter" });
  const foreign = places.group({ path: "foreign", visibility: "public" });
  addMember(world, asDeveloper, ann, "developer");
  addMember(world, asReporter, ann, "reporter");
  const share = (from: number, group_id: number) =>
    world.call("POST", `/groups/${from}/share`, { token: rootToken, json: { group_id, group_access: 40 } });
  for (const { id } of [asDeveloper, asReporter, foreign]) {
    expect((await share(id, main.id)).status).toBe(201);
    expect((await share(main.id, id)).status).toBe(201);
  }
  const ids = async (path: string, level: number, token: string | undefined) =>
    (await world.call("GET", `/groups/${main.id}/${path}?min_access_level=${level}`, { token })).body
      .map(({ id }: Json) => id)
      .sort((one: number, other: number) => one - other);
  for (const path of ["groups/shared", "invited_groups"]) {
    expect(await ids(path, 20, ann.token)).toEqual([asDeveloper.id, asReporter.id]);
    expect(await ids(path, 30, ann.token)).toEqual([asDeveloper.id]);
    expect(await ids(path, 40, ann.token)).toEqual([]);
    expect(await ids(path, 10, rootToken)).toEqual([]);
  }
});

test("the projects of a group are ordered by name by similarity without a search", async () => {
  const group = await make();
  for (const name of ["Test", "Project", "Test Project"]) {
    await world.call("POST", "/projects", { token: ann.token, json: { name, namespace_id: group.id } });
  }
  const names = async (query: object) =>
    (
      await world.call("GET", `/groups/${group.id}/projects`, {
        token: ann.token,
        query: { order_by: "similarity", ...query },
      })
    ).body.map(({ name }: Json) => name);
  expect(await names({})).toEqual(["Project", "Test", "Test Project"]);
  expect(await names({ search: "test" })).toEqual(["Test", "Test Project"]);
});
