import { describe, expect, test } from "bun:test";
import { makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const mia = await world.user({ username: "mia" });

let count = 0;
const group = (attributes: Json = {}) => {
  count += 1;
  return makeGroup(world, { path: `group-${count}`, ...attributes }, ann.token);
};
const put = (id: number | string, json: Json, token = ann.token) => world.call("PUT", `/groups/${id}`, { token, json });

describe("changing a group", () => {
  test("answers it with the given attributes, and keeps the rest", async () => {
    const before = await group({ description: "old", project_creation_level: "owner" });
    world.clock.advance(5_000);
    const { status, body } = await put(before.id, { name: "New Name", description: "new", lfs_enabled: false });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: "New Name",
      full_name: "New Name",
      description: "new",
      lfs_enabled: false,
      enabled_git_access_protocol: "all",
    });
    expect((await world.call("GET", `/groups/${before.id}`, { token: ann.token })).body).toEqual(body);
  });

  test("without attributes changes and records nothing", async () => {
    const before = await group();
    const events = world.events().length;
    for (const json of [{}, { name: before.name, visibility: "private", lfs_enabled: true }]) {
      const { status, body } = await put(before.id, json);
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, enabled_git_access_protocol: "all" });
    }
    expect(world.events()).toHaveLength(events);
  });

  test("resets a setting to its initial value", async () => {
    const { id } = await group({ subgroup_creation_level: "owner", default_branch: "trunk" });
    const { body } = await put(id, { subgroup_creation_level: "maintainer", default_branch: null });
    expect(body).toMatchObject({ subgroup_creation_level: "maintainer", default_branch: null });
  });

  test("accepts the three values of shared_runners_setting", async () => {
    const { id } = await group();
    for (const shared_runners_setting of ["disabled_and_overridable", "disabled_and_unoverridable", "enabled"]) {
      expect((await put(id, { shared_runners_setting })).body).toMatchObject({ shared_runners_setting });
    }
    expect((await put(id, { shared_runners_setting: "off" })).body.error).toBe(
      "shared_runners_setting does not have a valid value",
    );
  });

  test("lets the older form of branch protection replace the newer", async () => {
    const { id } = await group();
    const defaults = { allowed_to_push: [{ access_level: 60 }] };
    expect((await put(id, { default_branch_protection_defaults: defaults })).body).toMatchObject({
      default_branch_protection_defaults: defaults,
    });
    expect((await put(id, { default_branch_protection: 1 })).body).toMatchObject({
      default_branch_protection: 1,
      default_branch_protection_defaults: { allowed_to_push: [{ access_level: 30 }], allow_force_push: false },
    });
  });

  test("ignores a setting of the top level below it", async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    const { status, body } = await put(child.id, { prevent_sharing_groups_outside_hierarchy: true });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("prevent_sharing_groups_outside_hierarchy");
  });

  test("with a new path changes all full paths below, and the old one leads nowhere", async () => {
    const parent = await group({ path: "Old" });
    const child = await group({ parent_id: parent.id, path: "child" });
    const project = places.project(child.id, { path: "app", visibility: "private" });
    expect((await put("OLD", { path: "new" })).body).toMatchObject({ full_path: "new" });
    expect((await world.get("/groups/new%2Fchild")).body).toMatchObject({ id: child.id, full_path: "new/child" });
    for (const path of ["old", "old%2Fchild"]) {
      const { status, body } = await world.get(`/groups/${path}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Group Not Found" } });
    }
    expect(project.namespace_id).toBe(child.id);
    expect((await put(parent.id, { path: "NEW" })).body).toMatchObject({ full_path: "NEW" });
    expect((await group({ path: "old" })).full_path).toBe("old");
  });
});

describe("access", () => {
  test("is for owners and administrators; others who see it are refused, strangers get 404", async () => {
    const open = await group({ visibility: "public" });
    const own = await group();
    places.member(own, mia.id, 40);
    for (const id of [open.id, own.id]) {
      const { status, body } = await put(id, { name: "x" }, mia.token);
      expect({ status, body }).toEqual({ status: 403, body: { message: "403 Forbidden" } });
    }
    const hidden = await group();
    expect((await put(hidden.id, { name: "x" }, mia.token)).body).toEqual({ message: "404 Group Not Found" });
    const boss = await world.user({ admin: true });
    expect((await put(own.id, { name: "By the boss" }, boss.token)).status).toBe(200);
  });

  test("is for an owner of the parent, too", async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    places.member(parent, mia.id, 50);
    expect((await put(child.id, { name: "Fine" }, mia.token)).status).toBe(200);
  });
});

describe("a hash of errors", () => {
  const refused = async (id: number, json: Json, message: Json) => {
    const answer = await put(id, json);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { message } });
  };

  test("reports a path or name that is taken or malformed", async () => {
    const parent = await group();
    const [one, other] = [await group({ parent_id: parent.id }), await group({ parent_id: parent.id })];
    await refused(one.id, { path: other.path.toUpperCase() }, { path: ["has already been taken"] });
    await refused(one.id, { name: other.name }, { name: ["has already been taken"] });
    await refused(one.id, { name: "" }, { name: ["can't be blank"] });
    await refused(parent.id, { path: "mia" }, { path: ["has already been taken"] });
    await refused(parent.id, { path: "api" }, { path: ["api is a reserved name"] });
    await refused(
      one.id,
      { description: "x".repeat(501) },
      { description: ["is too long (maximum is 500 characters)"] },
    );
    const { body } = await put(one.id, { visibility: "secret" });
    expect(body.error).toBe("visibility does not have a valid value");
  });

  test("reports a visibility above the parent's", async () => {
    const parent = await group({ visibility: "internal" });
    const child = await group({ parent_id: parent.id });
    await refused(
      child.id,
      { visibility: "public" },
      { visibility_level: ["public is not allowed since the parent group has a internal visibility."] },
    );
    expect((await put(child.id, { visibility: "internal" })).status).toBe(200);
  });

  test("reports a visibility below that of a descendant", async () => {
    const parent = await group({ visibility: "public" });
    const child = await group({ parent_id: parent.id, visibility: "internal" });
    await refused(
      parent.id,
      { visibility: "private" },
      { visibility_level: ["private is not allowed since there are sub-groups with higher visibility."] },
    );
    expect((await put(parent.id, { visibility: "internal" })).status).toBe(200);
    places.project(child.id, { path: "wide", visibility: "internal" });
    await refused(
      child.id,
      { visibility: "private" },
      { visibility_level: ["private is not allowed since this group contains projects with higher visibility."] },
    );
  });
});

describe("events", () => {
  test("are one for each changed attribute, under the path from before", async () => {
    const before = await group({ path: "loud", name: "Loud" });
    const from = world.events().length;
    await put(before.id, {
      name: "Quiet",
      path: "quiet",
      visibility: "public",
      require_two_factor_authentication: true,
    });
    const events = world.events(from);
    expect(events.map(({ event_name, details: { change, from, to } }) => [event_name, change, from, to])).toEqual([
      ["group_name_updated", "name", "Loud", "Quiet"],
      ["group_path_updated", "path", "loud", "quiet"],
      ["group_visibility_level_updated", "visibility", "Private", "Public"],
      ["group_require_two_factor_authentication_updated", "require_two_factor_authentication", "false", "true"],
    ]);
    for (const { details, entity_id } of events) {
      expect({ entity_id, entity_path: details.entity_path }).toEqual({ entity_id: before.id, entity_path: "loud" });
    }
    expect(events[2]?.details.custom_message).toBe("Changed visibility from Private to Public");
  });

  test("are none for a refused change", async () => {
    const { id } = await group();
    const from = world.events().length;
    await put(id, { name: "", description: "x" });
    expect(world.events()).toHaveLength(from);
  });
});
