import { describe, expect, test } from "bun:test";
import { users } from "../../../src/modules/core/users/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld, type World } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const mia = await world.user({ username: "mia" });

const post = (json: Json, token: string | undefined = ann.token, to: World = world) =>
  to.call("POST", "/groups", { token, json });

let count = 0;
const freshPath = () => {
  count += 1;
  return `fresh-${count}`;
};

async function group(attributes: Json = {}, token = ann.token): Promise<Json> {
  const path = freshPath();
  const { status, body, text } = await post({ name: path, path, ...attributes }, token);
  if (status !== 201) throw new Error(text);
  return body;
}

const failed = (errors: string) => ({ message: `Failed to save group {${errors}}` });

describe("a new group", () => {
  test("has the given attributes and defaults for the rest", async () => {
    const { status, body } = await post({ name: "Acme Corp", path: "Acme" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "Acme Corp",
      path: "Acme",
      full_name: "Acme Corp",
      full_path: "Acme",
      web_url: `${world.origin}/groups/Acme`,
      description: "",
      visibility: "private",
      parent_id: null,
      avatar_url: null,
      created_at: world.clock.time(),
      request_access_enabled: true,
      share_with_group_lock: false,
      require_two_factor_authentication: false,
      two_factor_grace_period: 48,
      project_creation_level: "developer",
      subgroup_creation_level: "maintainer",
      auto_devops_enabled: null,
      emails_disabled: false,
      emails_enabled: true,
      show_diff_preview_in_email: true,
      mentions_disabled: null,
      lfs_enabled: true,
      archived: false,
      default_branch: null,
      default_branch_protection: 2,
      default_branch_protection_defaults: {
        allowed_to_push: [{ access_level: 40 }],
        allow_force_push: false,
        allowed_to_merge: [{ access_level: 40 }],
        developer_can_initial_push: false,
      },
      shared_runners_setting: "enabled",
      organization_id: 1,
      max_artifacts_size: null,
      math_rendering_limits_enabled: true,
      lock_math_rendering_limits_enabled: false,
      ldap_cn: null,
      ldap_access: null,
      marked_for_deletion_on: null,
      wiki_access_level: "enabled",
      membership_lock: false,
      prevent_forking_outside_group: false,
      file_template_project_id: null,
      ip_restriction_ranges: null,
      allowed_email_domains_list: null,
      shared_with_groups: [],
      projects: [],
      shared_projects: [],
      runners_token: expect.stringMatching(/^GR1348941g\d+_\w{20}$/),
      prevent_sharing_groups_outside_hierarchy: false,
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
    });
  });

  test("draws its id from the sequence of personal namespaces", async () => {
    const before = await group();
    const user = await world.user();
    const after = await group();
    expect(world.store.of(users).get(user.id)?.namespace_id).toBe(before.id + 1);
    expect(after.id).toBe(before.id + 2);
  });

  test("takes every setting", async () => {
    const settings = {
      description: "All of it",
      visibility: "public",
      request_access_enabled: false,
      membership_lock: true,
      share_with_group_lock: true,
      require_two_factor_authentication: true,
      two_factor_grace_period: 7,
      project_creation_level: "maintainer",
      subgroup_creation_level: "owner",
      auto_devops_enabled: true,
      emails_enabled: false,
      mentions_disabled: true,
      lfs_enabled: false,
      prevent_sharing_groups_outside_hierarchy: true,
      prevent_forking_outside_group: true,
      default_branch: "trunk",
      default_branch_protection: 3,
      shared_runners_minutes_limit: 10,
      extra_shared_runners_minutes_limit: 11,
    };
    const made = await group({ ...settings, organization_id: 1 });
    expect(made).toMatchObject({ ...settings, emails_disabled: true, organization_id: 1 });
    expect((await world.get(`/groups/${made.id}`)).body).toMatchObject(settings);
  });

  test("has emails_disabled as the opposite of emails_enabled", async () => {
    expect(await group({ emails_disabled: true })).toMatchObject({ emails_disabled: true, emails_enabled: false });
    expect(await group({ emails_disabled: false })).toMatchObject({ emails_disabled: false, emails_enabled: true });
  });

  test("shows the protection of the default branch in both forms", async () => {
    const told = { allowed_to_push: [{ access_level: 30 }], allow_force_push: true };
    expect((await group({ default_branch_protection: 0 })).default_branch_protection_defaults).toMatchObject(told);
    const given = { allowed_to_push: [{ access_level: 60 }], allowed_to_merge: [{ access_level: 30 }] };
    const { default_branch_protection_defaults } = await group({ default_branch_protection_defaults: given });
    expect(default_branch_protection_defaults).toEqual(given);
  });

  test("belongs to its creator, who is its direct owner", async () => {
    const { id } = await group();
    const [row] = [...world.store.of(memberships).by.source.find(`group ${id}`)];
    expect(world.store.of(memberships).get(row as number)).toMatchObject({ user_id: ann.id, access_level: 50 });
  });

  test("is recorded with its full path", async () => {
    const from = world.events().length;
    const parent = await group();
    const child = await group({ parent_id: parent.id, name: "Core", path: "core" });
    const events = world.events(from);
    expect(events.map(({ event_name }) => event_name)).toEqual([
      "group_created",
      "member_created",
      "group_created",
      "member_created",
    ]);
    expect(events[2]).toMatchObject({
      author_id: ann.id,
      entity_type: "Group",
      entity_id: child.id,
      details: {
        add: "group",
        custom_message: "Added group",
        target_id: child.id,
        target_type: "Group",
        target_details: `${parent.path}/core`,
        entity_path: `${parent.path}/core`,
      },
    });
    expect(events[3]?.details).toMatchObject({ add: "user_access", as: "Owner", target_id: ann.id });
  });
});

describe("a subgroup", () => {
  test("has the full path and name of all above it, and its parent's id", async () => {
    const { body: parent } = await post({ name: "Big Bank", path: "bank" });
    const { body: middle } = await post({ name: "Ledger", path: "ledger", parent_id: parent.id });
    const { body } = await post({ name: "API (2)", path: "api", parent_id: middle.id });
    expect(body).toMatchObject({
      parent_id: middle.id,
      full_path: "bank/ledger/api",
      full_name: "Big Bank / Ledger / API (2)",
      web_url: `${world.origin}/groups/bank/ledger/api`,
    });
    expect(body).not.toHaveProperty("prevent_sharing_groups_outside_hierarchy");
    expect(body).not.toHaveProperty("enabled_git_access_protocol");
  });

  test("is created by maintainers of the parent, or only by owners where it says so", async () => {
    const parent = await group();
    const strict = await group({ subgroup_creation_level: "owner" });
    for (const each of [parent, strict]) places.member(each, mia.id, 40);
    const make = (id: number) => post({ name: freshPath(), path: freshPath(), parent_id: id }, mia.token);
    expect((await make(parent.id)).status).toBe(201);
    const refused = await make(strict.id);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: { message: "403 Forbidden" },
    });
  });

  test("below a hidden parent is 404", async () => {
    const hidden = await group();
    for (const parent_id of [hidden.id, 999_999]) {
      const { status, body } = await post({ name: "x", path: freshPath(), parent_id }, mia.token);
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Group Not Found" } });
    }
    const seen = await group({ visibility: "public" });
    expect((await post({ name: "x", path: freshPath(), parent_id: seen.id }, mia.token)).status).toBe(403);
  });

  test("needs no can_create_group, which the top level requires", async () => {
    const guest = await world.user({ can_create_group: false });
    expect((await post({ name: "x", path: freshPath() }, guest.token)).status).toBe(403);
    const parent = await group();
    places.member(parent, guest.id, 40);
    expect((await post({ name: "x", path: freshPath(), parent_id: parent.id }, guest.token)).status).toBe(201);
  });

  test("is not more visible than its parent", async () => {
    const parent = await group();
    const { status, body } = await post({ name: "x", path: "x1", parent_id: parent.id, visibility: "public" });
    expect(status).toBe(400);
    expect(body).toEqual(
      failed(`:visibility_level=>["public is not allowed since the parent group has a private visibility."]`),
    );
    const internal = await group({ visibility: "internal" });
    expect((await post({ name: "x", path: "x1", parent_id: internal.id, visibility: "internal" })).status).toBe(201);
  });

  test("may have a reserved word as its path, and the name of a group elsewhere", async () => {
    const [one, other] = [await group(), await group()];
    expect((await post({ name: "Same", path: "api", parent_id: one.id })).status).toBe(201);
    expect((await post({ name: "Same", path: "api", parent_id: other.id })).status).toBe(201);
    const { body } = await post({ name: "sAME", path: "other", parent_id: one.id });
    expect(body).toEqual(failed(`:name=>["has already been taken"]`));
  });
});

describe("refusals", () => {
  test("report a missing name or path", async () => {
    for (const [json, error] of [
      [{ path: "x" }, "name is missing"],
      [{ name: "x" }, "path is missing"],
      [{}, "name is missing, path is missing"],
    ] as const) {
      const { status, body } = await post(json);
      expect({ status, error: body.error }).toEqual({ status: 400, error });
    }
  });

  test("report values outside an enumeration", async () => {
    for (const [name, value] of [
      ["visibility", "secret"],
      ["project_creation_level", "guest"],
      ["subgroup_creation_level", "developer"],
      ["default_branch_protection", 9],
    ]) {
      const { status, body } = await post({ name: "x", path: "x", [name as string]: value });
      expect({ status, error: body.error }).toEqual({ status: 400, error: `${name} does not have a valid value` });
    }
  });

  test("report a path that is taken, whatever the case, by a group, a user, or a project beside it", async () => {
    const taken = failed(`:path=>["has already been taken"]`);
    const parent = await group({ path: "Takers" });
    expect((await post({ name: "x", path: "tAKERS" })).body).toEqual(taken);
    expect((await post({ name: "x", path: "MIA" })).body).toEqual(taken);
    await group({ parent_id: parent.id, path: "child" });
    expect((await post({ name: "x", path: "CHILD", parent_id: parent.id })).body).toEqual(taken);
    // Names may repeat on the top level.
    expect((await post({ name: parent.name, path: freshPath() })).status).toBe(201);
  });

  const format =
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
  const separators =
    "can only include non-accented letters, digits, '_', '-' and '.'. " +
    "It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'.";
  test.each<[string, string[]]>([
    ...["-x", "x.", "a b", "a/b", "ää", "<b>"].map((path): [string, string[]] => [path, [separators, format]]),
    ...["x.git", "x.atom"].map((path): [string, string[]] => [path, [format]]),
    ...["_x", "x_", "x-", ".x", "a__b", "a-.b"].map((path): [string, string[]] => [path, [separators]]),
    ["x", ["is too short (minimum is 2 characters)"]],
    ["123", ["cannot be digits only"]],
    ["", ["can't be blank"]],
  ])("report the malformed path %p", async (path, texts) => {
    const { status, body } = await post({ name: "x", path });
    const list = texts.map((text) => JSON.stringify(text)).join(",");
    expect({ status, body }).toEqual({ status: 400, body: failed(`:path=>[${list}]`) });
  });

  test("report a path that pages of a project need, below a group alone", async () => {
    const parent = await group({});
    const { body } = await post({ name: "x", path: "blob", parent_id: parent.id });
    expect(body).toEqual(failed(`:path=>["blob is a reserved name"]`));
    expect((await post({ name: "x", path: "blob" })).status).toBe(201);
  });

  test("report a reserved word on the top level", async () => {
    for (const path of ["api", "Admin", "users", "groups", "v2"]) {
      expect((await post({ name: "x", path })).body).toEqual(failed(`:path=>["${path} is a reserved name"]`));
    }
  });

  test("report a name that is malformed, too long, or has HTML", async () => {
    const form =
      "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis. " +
      "It must start with letter, digit, emoji or '_'.";
    for (const name of [".x", " x", "-x", "a/b", "a+b", "a&b"]) {
      expect((await post({ name, path: "n1" })).body).toEqual(failed(`:name=>["${form}"]`));
    }
    expect((await post({ name: "x".repeat(256), path: "n1" })).body).toEqual(
      failed(`:name=>["is too long (maximum is 255 characters)"]`),
    );
    expect((await post({ name: " ", path: "n1" })).body).toEqual(failed(`:name=>["can't be blank"]`));
    const html = await post({ name: "x <script>", path: "n1" });
    expect(html.status).toBe(400);
    expect(html.body.message).toContain("cannot contain HTML/XML tags");
    expect(await group({ name: "_Ünï – 漢字 (🚀 v1.2)" })).toMatchObject({ name: "_Ünï – 漢字 (🚀 v1.2)" });
  });

  test("report a group below more than twenty others", async () => {
    let parent = await group();
    for (let level = 1; level <= 20; level += 1) parent = await group({ parent_id: parent.id });
    const { status, body } = await post({ name: "x", path: freshPath(), parent_id: parent.id });
    expect([status, body]).toEqual([400, failed(':parent_id=>["has too deep level of nesting"]')]);
    const renamed = await world.call("PUT", `/groups/${parent.id}`, { token: ann.token, json: { name: "Still here" } });
    expect(renamed.status).toBe(200);
  });

  test("join several errors in one text", async () => {
    const { body } = await post({ name: "", path: "" });
    expect(body).toEqual(failed(`:name=>["can't be blank"], :path=>["can't be blank"]`));
  });

  test("include anonymous callers", async () => {
    const { status, body } = await world.call("POST", "/groups", { json: {} });
    expect({ status, body }).toEqual({ status: 401, body: { message: "401 Unauthorized" } });
  });

  test("store nothing", async () => {
    const events = world.events().length;
    const rows = world.store.of(memberships).size;
    await post({ name: "", path: "" });
    expect(world.events().length).toBe(events);
    expect(world.store.of(memberships).size).toBe(rows);
  });
});

test("the community edition has no paid fields", async () => {
  const community = await startWorld({ edition: "community" });
  const json = { name: "x", path: "xx", membership_lock: true, shared_runners_minutes_limit: 3 };
  const { status, body } = await post(json, rootToken, community);
  expect(status).toBe(201);
  for (const name of ["membership_lock", "ldap_cn", "wiki_access_level", "shared_runners_minutes_limit"]) {
    expect(body).not.toHaveProperty(name);
  }
});

test("an administrator creates groups without can_create_group, and sees the storage", async () => {
  const boss = await world.user({ admin: true, can_create_group: false });
  expect(await group({}, boss.token)).toMatchObject({ repository_storage: "default" });
});
