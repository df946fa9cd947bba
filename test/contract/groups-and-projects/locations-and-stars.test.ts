import { describe, expect, test } from "bun:test";
import type { DateTime } from "../../../src/lib/datetime.ts";
import { issues } from "../../../src/modules/planning/issues/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const shy = await world.user({ username: "shy", private_profile: true });
const bob = await world.user({ username: "bob" });
const home = places.group({ path: "home", visibility: "public" });
addMember(world, home, ann, "owner");

async function make(more: object = {}, token = ann.token): Promise<Json> {
  const json = { path: `p${Bun.randomUUIDv7()}`, visibility: "public", ...more };
  const { status, body, text } = await world.call("POST", "/projects", { token, json });
  if (status !== 201) throw new Error(text);
  return body;
}
const ids = async (path: string, token?: string): Promise<number[]> => {
  const { status, body, text } = await world.call("GET", path, { token });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.map(({ id }: Json) => id);
};

describe("stars", () => {
  test("are listed with their users, without profiles that the caller does not see", async () => {
    const project = await make();
    const at = `/projects/${project.id}`;
    for (const { token } of [ann, shy]) await world.call("POST", `${at}/star`, { token });
    const starrers = async (token?: string, query: object = {}) =>
      (await world.call("GET", `${at}/starrers`, { token, query: { ...query } })).body.map(({ user }: Json) => user.id);
    expect((await world.call("GET", `${at}/starrers`)).body).toEqual([
      {
        starred_since: expect.stringMatching(/^2025-/),
        user: expect.objectContaining({ id: ann.id, username: "ann" }),
      },
    ]);
    expect(await starrers(shy.token)).toEqual([ann.id, shy.id]);
    expect(await starrers(rootToken)).toEqual([ann.id, shy.id]);
    expect(await starrers(shy.token, { search: "SH" })).toEqual([shy.id]);
    const hidden = await make({ visibility: "private" });
    expect((await world.call("GET", `/projects/${hidden.id}/starrers`, { token: bob.token })).status).toBe(404);
  });

  test("are listed by user", async () => {
    const [open, closed] = [await make(), await make({ visibility: "private" }, shy.token)];
    for (const { id } of [open, closed]) await world.call("POST", `/projects/${id}/star`, { token: shy.token });
    const path = "/users/shy/starred_projects";
    expect(await ids(path, bob.token)).toEqual([]);
    expect(await ids(path, shy.token)).toContain(closed.id);
    expect(await ids(path, rootToken)).toContain(open.id);
    await world.call("PUT", `/users/${shy.id}`, { token: rootToken, json: { private_profile: false } });
    expect(await ids(`/users/${shy.id}/starred_projects`, bob.token)).toContain(open.id);
    expect(await ids(path, bob.token)).not.toContain(closed.id);
    await world.call("PUT", `/users/${shy.id}`, { token: rootToken, json: { private_profile: true } });
    expect((await world.call("GET", "/users/99999/starred_projects")).body).toEqual({ message: "404 User Not Found" });
  });
});

test("contributions are issues and notes of the last year in projects of others", async () => {
  const [asked, noted, old, own] = [await make(), await make(), await make(), await make({}, bob.token)];
  const write = async (path: string, token: string, json: object) =>
    (await world.call("POST", path, { token, json })).body;
  const { id: oldId } = await write(`/projects/${old.id}/issues`, bob.token, { title: "old" });
  const issue = world.store.of(issues).get(oldId);
  if (issue === undefined) throw new Error("the issue is not there");
  world.store.transact((tx) => tx.update(issues, { ...issue, created_at: "2020-01-01T00:00:00.000Z" as DateTime }));
  await write(`/projects/${asked.id}/issues`, bob.token, { title: "asked" });
  await write(`/projects/${own.id}/issues`, bob.token, { title: "own" });
  const { iid } = await write(`/projects/${noted.id}/issues`, ann.token, { title: "noted" });
  await write(`/projects/${noted.id}/issues/${iid}/notes`, bob.token, { body: "yes" });
  expect(await ids("/users/bob/contributed_projects?order_by=id&sort=asc", ann.token)).toEqual([asked.id, noted.id]);
  expect(await ids("/users/shy/contributed_projects", ann.token)).toEqual([]);
  const [simple] = (await world.call("GET", "/users/bob/contributed_projects?simple=true", { token: ann.token })).body;
  expect(simple).not.toHaveProperty("visibility");
});

describe("locations", () => {
  const guests = places.group({ path: "as-guest" });
  const developers = places.group({ path: "as-developer" });
  const maintainers = places.group({ path: "as-maintainer", name: "Crew" });
  const owners = places.group({ path: "as-owner" });
  addMember(world, guests, ann, "guest");
  addMember(world, developers, ann, "developer");
  addMember(world, maintainers, ann, "maintainer");
  addMember(world, owners, ann, "owner");

  test("of a project's transfer are the groups that take it", async () => {
    const { id } = await make({ namespace_id: home.id });
    const path = `/projects/${id}/transfer_locations`;
    const { status, body } = await world.call("GET", path, { token: ann.token });
    expect(status).toBe(200);
    expect(body.map((group: Json) => group.id)).toEqual([maintainers.id, owners.id]);
    expect(body[0]).toEqual({
      id: maintainers.id,
      web_url: `${world.origin}/groups/as-maintainer`,
      name: "Crew",
      avatar_url: null,
      full_name: "Crew",
      full_path: "as-maintainer",
    });
    expect(await ids(`${path}?search=crew`, ann.token)).toEqual([maintainers.id]);
    addMember(world, { id }, bob, "maintainer", "project");
    expect((await world.call("GET", path, { token: bob.token })).status).toBe(403);
    expect((await world.call("GET", path)).status).toBe(401);
    const hidden = await make({ visibility: "private" });
    expect((await world.call("GET", `/projects/${hidden.id}/transfer_locations`, { token: bob.token })).status).toBe(
      404,
    );
  });

  test("of a project's shares are the caller's other groups", async () => {
    const { id } = await make({ namespace_id: home.id });
    const path = `/projects/${id}/share_locations`;
    expect(await ids(path, ann.token)).toEqual([developers.id, guests.id, maintainers.id, owners.id]);
    expect(await ids(`${path}?search=as-gue`, ann.token)).toEqual([guests.id]);
    await world.call("POST", `/projects/${id}/share`, {
      token: ann.token,
      json: { group_id: guests.id, group_access: 10 },
    });
    expect(await ids(path, ann.token)).toEqual([developers.id, maintainers.id, owners.id]);
    expect(await ids(path, rootToken)).not.toContain(home.id);
    for (const token of [bob.token, undefined]) expect(await ids(path, token)).toEqual([]);
    const lock = (share_with_group_lock: boolean) =>
      world.call("PUT", `/groups/${home.id}`, { token: ann.token, json: { share_with_group_lock } });
    await lock(true);
    expect(await ids(path, ann.token)).toEqual([]);
    await lock(false);
    const json = { prevent_sharing_groups_outside_hierarchy: true };
    await world.call("PUT", `/groups/${home.id}`, { token: ann.token, json });
    expect(await ids(path, ann.token)).toEqual([]);
  });

  test("of a group's transfer are the other groups that the caller owns", async () => {
    const path = `/groups/${home.id}/transfer_locations`;
    expect(await ids(path, ann.token)).toEqual([owners.id]);
    expect(await ids(`${path}?search=nothing-of-it`, ann.token)).toEqual([]);
    addMember(world, home, bob, "developer");
    expect((await world.call("GET", path, { token: bob.token })).status).toBe(403);
    expect((await world.call("GET", path)).status).toBe(401);
    const hidden = `/groups/${owners.id}/transfer_locations`;
    expect((await world.call("GET", hidden, { token: bob.token })).status).toBe(404);
  });
});
