import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { updateGroupRecord } from "../../../src/modules/core/namespaces/index.ts";
import { groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });

const create = (json: object, token: string | undefined = ann.token) =>
  world.call("POST", "/projects", { token, json });

describe("POST /projects", () => {
  test("creates a private project in the caller's own namespace, and the caller owns it", async () => {
    const { status, body } = await create({ name: "Foo Project" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "Foo Project",
      path: "foo-project",
      name_with_namespace: "Person 1 / Foo Project",
      path_with_namespace: "ann/foo-project",
      description: null,
      visibility: "private",
      default_branch: "main",
      empty_repo: true,
      creator_id: ann.id,
      owner: { id: ann.id, username: "ann" },
      topics: [],
      tag_list: [],
      web_url: `${world.origin}/ann/foo-project`,
      http_url_to_repo: `${world.origin}/ann/foo-project.git`,
      ssh_url_to_repo: "git@127.0.0.1:ann/foo-project.git",
      namespace: { kind: "user", path: "ann", full_path: "ann", parent_id: null, web_url: `${world.origin}/ann` },
      permissions: { project_access: { access_level: 50, notification_level: 3 }, group_access: null },
    });
  });

  test("takes the path as the name, and requires one of them", async () => {
    expect((await create({ path: "only-path" })).body).toMatchObject({ name: "only-path", path: "only-path" });
    const { status, body } = await create({});
    expect(status).toBe(400);
    expect(body.error).toBe("name, path are missing, at least one parameter must be provided");
  });

  test.each([
    ["Crème Brûlée", "creme-brulee"],
    ["A  b!!c", "a-b-c"],
    ["v1.2", "v1.2"],
    ["Upper_Case", "Upper_Case"],
    ["Under_scored !!", "under_scored"],
  ])("derives a path from the name %p", async (name, path) => {
    const { body } = await create({ name: name.replaceAll("!!", ".") });
    expect(body.path).toBe(path);
  });

  test("reports whether name or path is taken, whatever the case", async () => {
    await create({ name: "Taken", path: "taken" });
    const taken = ["has already been taken"];
    expect((await create({ name: "taken", path: "TAKEN" })).body).toEqual({
      message: { "project_namespace.name": taken, name: taken, path: taken },
    });
    expect((await create({ name: "Other", path: "Taken" })).body).toEqual({ message: { path: taken } });
    expect((await create({ name: "TAKEN", path: "other" })).body).toEqual({
      message: { "project_namespace.name": taken, name: taken },
    });
    expect((await create({ name: "Taken" }, bob.token)).status).toBe(201);
  });

  const form =
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'";
  const separators =
    "can only include non-accented letters, digits, '_', '-' and '.'. " +
    "It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'.";

  test.each<[string, string[]]>([
    ["-start", [separators, form]],
    ["a/b", [separators, form]],
    ["a b", [separators, form]],
    ["ü", [separators, form]],
    ["a\tb", [separators, form]],
    ["a%2Fb", [separators, form]],
    ["a.git", [form]],
    ["a.ATOM", [form]],
    ["..", [separators]],
    ["_a", [separators]],
    ["a_", [separators]],
    ["a.", [separators]],
    ["a--b", [separators]],
    ["a._b", [separators]],
    ["blob", ["blob is a reserved name"]],
    ["-", [separators, form, "- is a reserved name"]],
  ])("refuses the path %p", async (path, texts) => {
    const { status, body } = await create({ name: `x${Bun.hash(path)}`, path });
    expect({ status, body }).toEqual({ status: 400, body: { message: { path: texts } } });
  });

  test("refuses blank and long names, and a NUL", async () => {
    expect((await create({ name: "x".repeat(256), path: "long" })).body).toEqual({
      message: { name: ["is too long (maximum is 255 characters)"] },
    });
    expect((await create({ name: " " })).body.message.name).toEqual(["can't be blank"]);
    expect((await create({ name: "<b>x</b>", path: "markup" })).status).toBe(400);
    expect((await create({ name: "a\0b" })).status).toBe(400);
  });

  test("refuses the path of a subgroup there", async () => {
    const parent = places.group({ path: "parent", visibility: "public" });
    places.group({ path: "sub", parent_id: parent.id });
    addMember(world, parent, ann, "developer");
    expect((await create({ path: "SUB", namespace_id: parent.id })).body).toEqual({
      message: { path: ["has already been taken"] },
    });
  });

  test("refuses an unknown namespace, another user's, or one without the right", async () => {
    const hidden = places.group({ path: "hidden" });
    const open = places.group({ path: "open", visibility: "public" });
    addMember(world, open, ann, "reporter");
    for (const namespace_id of [999_999, 1e15, hidden.id, open.id, bob.record.namespace_id ?? 2]) {
      const { status, body } = await create({ name: "nowhere", namespace_id });
      expect({ status, body }).toEqual({ status: 400, body: { message: { namespace: ["is not valid"] } } });
    }
  });

  test("requires the group's minimum role", async () => {
    const group = places.group({ path: "levels" });
    const levels = { developer: 30, maintainer: 40, owner: 50, noone: 99, administrator: 99 } as const;
    const roles = ["developer", "maintainer", "owner"] as const;
    let count = 0;
    for (const [project_creation_level, needed] of Object.entries(levels)) {
      const record = world.store.of(groups).get(group.id);
      if (record === undefined) throw new Error("no group");
      world.store.transact((tx) =>
        updateGroupRecord(tx, world.store, {
          ...record,
          settings: { project_creation_level: project_creation_level as keyof typeof levels },
        }),
      );
      for (const role of roles) {
        addMember(world, group, ann, role);
        const { status } = await create({ name: `p${++count}`, namespace_id: group.id });
        expect({ project_creation_level, role, status }).toEqual({
          project_creation_level,
          role,
          status: accessLevels[role] >= needed ? 201 : 400,
        });
      }
      expect((await create({ name: `p${++count}`, namespace_id: group.id }, rootToken)).status).toBe(201);
    }
  });

  test("in a group adds no member, and cannot exceed the group's visibility", async () => {
    const group = places.group({ path: "narrow" });
    addMember(world, group, ann, "maintainer");
    expect((await create({ name: "wide", namespace_id: group.id, visibility: "public" })).body).toEqual({
      message: { visibility_level: ["public is not allowed in a private group."] },
    });
    const { body } = await create({ name: "fits", namespace_id: group.id });
    expect(body.permissions).toEqual({
      project_access: null,
      group_access: { access_level: 40, notification_level: 3 },
    });
    expect(body.owner).toBeUndefined();
    expect(body.namespace).toMatchObject({ kind: "group", web_url: `${world.origin}/groups/narrow`, avatar_url: null });
  });

  test("is 403 at the projects limit of the account", async () => {
    const few = await world.user({ username: "few", projects_limit: 1 });
    expect((await create({ name: "first" }, few.token)).status).toBe(201);
    const { status, body } = await create({ name: "second" }, few.token);
    expect(status).toBe(403);
    expect(body.message).toContain("limit is 1");
    const external = await world.user({ username: "ext", external: true });
    expect((await create({ name: "none" }, external.token)).status).toBe(403);
  });

  test("takes settings by either of their names, and shows them", async () => {
    const { body } = await create({
      name: "settings",
      issues_enabled: false,
      wiki_access_level: "private",
      emails_disabled: true,
      public_builds: false,
      merge_method: "ff",
      squash_option: "always",
      tag_list: "b, a,b",
      build_timeout: 1200,
      ci_config_path: "x.yml",
      approvals_before_merge: 2,
    });
    expect(body).toMatchObject({
      issues_enabled: false,
      issues_access_level: "disabled",
      wiki_enabled: true,
      wiki_access_level: "private",
      emails_disabled: true,
      emails_enabled: false,
      public_jobs: false,
      merge_method: "ff",
      squash_option: "always",
      topics: ["a", "b"],
      tag_list: ["a", "b"],
      build_timeout: 1200,
      ci_config_path: "x.yml",
      approvals_before_merge: 2,
    });
    expect("open_issues_count" in body).toBe(false);
    for (const json of [{ merge_method: "x" }, { visibility: "secret" }, { issues_access_level: "public" }]) {
      const { status, body: refused } = await create({ name: "bad", ...json });
      expect(status).toBe(400);
      expect(refused.error).toBe(`${Object.keys(json)[0]} does not have a valid value`);
    }
  });

  test("with a README makes a first branch, and takes a storage from administrators", async () => {
    expect((await create({ name: "readme", initialize_with_readme: true })).body.default_branch).toBe("main");
    const trunk = { name: "branch", default_branch: "trunk" };
    expect((await create({ ...trunk, initialize_with_readme: true })).body.default_branch).toBe("trunk");
    expect((await create({ ...trunk, name: "empty" })).body).toMatchObject({
      default_branch: "main",
      empty_repo: true,
    });
    expect((await create({ name: "stored", repository_storage: "nowhere" })).body.repository_storage).toBeUndefined();
    expect((await create({ name: "stored", repository_storage: "nowhere" }, rootToken)).status).toBe(400);
    expect((await create({ name: "s2", repository_storage: "default" }, rootToken)).body.repository_storage).toBe(
      "default",
    );
  });

  test("is audited", async () => {
    const from = world.events().length;
    const { body } = await create({ name: "audited" });
    expect(world.events(from)).toMatchObject([
      {
        event_name: "project_created",
        entity_type: "Project",
        entity_id: body.id,
        details: {
          add: "project",
          custom_message: "Added project",
          target_details: "ann/audited",
          entity_path: "ann/audited",
        },
      },
    ]);
  });

  test("refuses unknown templates, and more than one source", async () => {
    const unknown = await create({ name: "templated", template_name: "unknown" });
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: 400,
      body: { message: { template_name: ["'unknown' is unknown or invalid"] } },
    });
    const both = await create({ name: "templated", template_name: "rails", import_url: "http://example.com" });
    expect({ status: both.status, error: both.body.error }).toEqual({
      status: 400,
      error: "import_url, template_name are mutually exclusive",
    });
    expect((await world.get("/projects?search=templated")).body).toEqual([]);
  });

  test("takes names of prototype members", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const { status, body } = await create({ name, path: name.replaceAll("_", "") });
      expect({ name, status }).toEqual({ name, status: 201 });
      expect((await world.get(`/projects/${encodeURIComponent(body.path_with_namespace)}`)).body.id).toBe(body.id);
    }
  });
});

describe("POST /projects/user/:user_id", () => {
  test("creates a project in a user's namespace for an administrator", async () => {
    const { status, body } = await world.call("POST", `/projects/user/${bob.id}`, {
      token: rootToken,
      json: { name: "gift" },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ path_with_namespace: "bob/gift", creator_id: bob.id, owner: { username: "bob" } });
    expect(
      (await world.call("GET", `/projects/${body.id}`, { token: bob.token })).body.permissions.project_access
        .access_level,
    ).toBe(50);
  });

  test("requires a name", async () => {
    const { status, body } = await world.call("POST", `/projects/user/${bob.id}`, { token: rootToken, json: {} });
    expect({ status, error: body.error }).toEqual({ status: 400, error: "name is missing" });
  });

  test("is 404 for an unknown user, and refused to all but administrators", async () => {
    const json = { name: "x" };
    const { status, body } = await world.call("POST", "/projects/user/99999", { token: rootToken, json });
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 User Not Found" } });
    expect((await world.call("POST", `/projects/user/${bob.id}`, { token: ann.token, json })).status).toBe(403);
  });
});
