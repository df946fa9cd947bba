import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const max = await world.user({ username: "max" });
const bob = await world.user({ username: "bob" });
const acme = places.group({ path: "acme", visibility: "internal" });
addMember(world, acme, ann, "owner");
addMember(world, acme, max, "maintainer");
let count = 0;

async function make(more: object = {}): Promise<Json> {
  const json = { path: `p${++count}`, namespace_id: acme.id, ...more };
  return (await world.call("POST", "/projects", { token: ann.token, json })).body;
}
const put = (id: number, json: object, token: string | undefined = ann.token) =>
  world.call("PUT", `/projects/${id}`, { token, json });

describe("PUT /projects/:id", () => {
  test("changes the given attributes and leaves the rest", async () => {
    const before = await make({ description: "old", wiki_access_level: "private", topics: ["a"] });
    world.clock.advance(1000);
    const { status, body } = await put(before.id, { description: "new", issues_enabled: false }, max.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: "new",
      issues_access_level: "disabled",
      wiki_access_level: "private",
      topics: ["a"],
    });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await put(before.id, { description: null, topics: [] })).body).toMatchObject({
      description: null,
      topics: [],
    });
    expect((await put(before.id, { issues_access_level: "enabled" })).body.issues_enabled).toBe(true);
  });

  test("without attributes, or with unknown ones, is 400", async () => {
    const { id } = await make();
    for (const json of [{}, { unknown: 1 }]) {
      const { status, body } = await put(id, json);
      expect(status).toBe(400);
      expect(body.error).toStartWith("name, path, description, visibility");
      expect(body.error).toEndWith("are missing, at least one parameter must be provided");
    }
  });

  test("changes the visibility for owners only", async () => {
    const { id } = await make();
    expect((await put(id, { visibility: "internal" }, max.token)).status).toBe(403);
    expect((await put(id, { visibility: "internal" })).body.visibility).toBe("internal");
    expect((await put(id, { visibility: "public" })).body).toEqual({
      message: { visibility_level: ["public is not allowed in a internal group."] },
    });
  });

  test("checks names and paths as at the creation; the current ones are valid", async () => {
    const other = await make({ name: "Other", path: "other" });
    const { id, path } = await make();
    const taken = ["has already been taken"];
    expect((await put(id, { name: "OTHER", path: "Other" })).body).toEqual({
      message: { "project_namespace.name": taken, name: taken, path: taken },
    });
    expect((await put(id, { path: path.toUpperCase() })).body.path).toBe(path.toUpperCase());
    expect((await put(id, { path: "" })).body.message.path).toEqual(["can't be blank"]);
    expect((await put(id, { name: "x".repeat(256) })).status).toBe(400);
    expect((await put(id, { path: "a/../b" })).status).toBe(400);
    expect((await put(other.id, { name: "Other", path: "other" })).status).toBe(200);
  });

  test.each([
    [{ build_timeout: 599 }, { build_timeout: ["needs to be between 10 minutes and 1 month"] }],
    [{ build_timeout: 2_629_746 }, { build_timeout: ["needs to be between 10 minutes and 1 month"] }],
    [{ ci_config_path: "/ci.yml" }, { ci_config_path: ["cannot include leading slash or directory traversal."] }],
    [{ ci_config_path: "a/../ci.yml" }, { ci_config_path: ["cannot include leading slash or directory traversal."] }],
    [{ ci_default_git_depth: -1 }, { "ci_cd_settings.default_git_depth": ["must be greater than or equal to 0"] }],
    [{ ci_default_git_depth: 1001 }, { "ci_cd_settings.default_git_depth": ["must be less than or equal to 1000"] }],
  ])("refuses %j", async (json, message) => {
    const { id } = await make();
    const { status, body } = await put(id, json);
    expect([status, body]).toEqual([400, { message }]);
  });

  test("takes the last values of settings that are valid", async () => {
    const { id } = await make();
    for (const json of [
      { build_timeout: 600, ci_default_git_depth: 0, ci_config_path: "ci/x.yml@a/b" },
      { build_timeout: 2_629_745, ci_default_git_depth: 1000, ci_config_path: "" },
    ]) {
      const { status, body } = await put(id, json);
      expect([status, body]).toMatchObject([200, json]);
    }
  });

  test("limits the length of texts in settings", async () => {
    const { id } = await make();
    for (const [name, max] of [
      ["merge_commit_template", 500],
      ["suggestion_commit_message", 255],
      ["issues_template", 1_048_576],
    ] as const) {
      expect((await put(id, { [name]: "é".repeat(max) })).body[name]).toBe("é".repeat(max));
      const { status, body } = await put(id, { [name]: "é".repeat(max + 1) });
      expect([status, body]).toEqual([400, { message: { [name]: [`is too long (maximum is ${max} characters)`] } }]);
    }
  });

  test("takes a storage from administrators, and ignores it from others", async () => {
    const { id } = await make();
    expect((await put(id, { repository_storage: "nowhere" })).status).toBe(200);
    expect((await put(id, { repository_storage: "nowhere" }, rootToken)).status).toBe(400);
  });

  test("writes one event for each changed attribute, and none without a change", async () => {
    const { id, path } = await make({ name: `name${count}` });
    const from = world.events().length;
    await put(id, { path });
    expect(world.events(from)).toEqual([]);
    await put(id, {
      name: "Renamed",
      path: "renamed",
      visibility: "internal",
      merge_method: "ff",
      wiki_access_level: "disabled",
      topics: "x",
      description: "d",
    });
    const events = world
      .events(from)
      .map(({ event_name, details: { change, from: old, to } }) => [event_name, change, old, to]);
    expect(events).toEqual([
      ["project_name_updated", "name", expect.stringMatching(/^name/), "Renamed"],
      ["project_path_updated", "path", path, "renamed"],
      ["project_visibility_level_updated", "visibility", "Private", "Internal"],
      ["project_merge_method_updated", "merge_method", "merge", "ff"],
      ["project_feature_wiki_access_level_updated", "wiki_access_level", "enabled", "disabled"],
      ["project_topics_updated", undefined, undefined, undefined],
    ]);
  });

  test("hides paid settings in the free edition", async () => {
    const free = await startWorld({ edition: "community" });
    const { body } = await free.call("POST", "/projects", {
      token: rootToken,
      json: { name: "free", approvals_before_merge: 3 },
    });
    expect(body.approvals_before_merge).toBeUndefined();
    expect(body.marked_for_deletion_at).toBeUndefined();
    expect(body.issues_access_level).toBe("enabled");
  });
});

describe("archive and unarchive", () => {
  test("change the project, lists and the audit log, once", async () => {
    const { id } = await make();
    const from = world.events().length;
    for (const archived of [true, true, false]) {
      const { status, body } = await world.call("POST", `/projects/${id}/${archived ? "archive" : "unarchive"}`, {
        token: ann.token,
      });
      expect({ status, archived: body.archived }).toEqual({ status: 201, archived });
      const listed = (await world.get("/projects", { query: { archived: true } })).body.map(
        (project: Json) => project.id,
      );
      expect(listed).toEqual(archived ? [id] : []);
    }
    expect(world.events(from).map(({ event_name }) => event_name)).toEqual(["project_archived", "project_unarchived"]);
  });
});

describe("star and unstar", () => {
  test("count once for each user, and answer 304 when nothing changes", async () => {
    const { id } = await make({ visibility: "internal" });
    const act = (name: string, token: string) => world.call("POST", `/projects/${id}/${name}`, { token });
    expect((await act("unstar", bob.token)).status).toBe(304);
    expect((await act("star", bob.token)).body.star_count).toBe(1);
    expect((await act("star", bob.token)).status).toBe(304);
    expect((await act("star", ann.token)).body.star_count).toBe(2);
    const starred = { token: bob.token, query: { starred: true } };
    expect((await world.call("GET", "/projects", starred)).body.map((project: Json) => project.id)).toEqual([id]);
    expect((await act("unstar", bob.token)).body.star_count).toBe(1);
    expect((await world.call("GET", "/projects", starred)).body).toEqual([]);
    expect((await world.call("GET", "/projects", { query: { starred: true } })).body).toEqual([]);
  });
});

describe("PUT /projects/:id/transfer", () => {
  const transfer = (id: number, json: object, token: string = ann.token) =>
    world.call("PUT", `/projects/${id}/transfer`, { token, json });

  test("moves to a group by id or path, and lowers higher visibilities", async () => {
    const tight = places.group({ path: "tight" });
    addMember(world, tight, ann, "maintainer");
    const { id } = await make({ visibility: "internal" });
    const from = world.events().length;
    const { status, body } = await transfer(id, { namespace: "TIGHT" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ visibility: "private", namespace: { full_path: "tight" } });
    expect(world.events(from)).toMatchObject([
      { event_name: "project_namespace_updated", details: { change: "namespace", from: "acme", to: "tight" } },
    ]);
    // A maintainer of the new group does not own the project.
    expect((await transfer(id, { namespace: acme.id })).status).toBe(403);
    expect((await transfer(id, { namespace: acme.id }, rootToken)).body.namespace.id).toBe(acme.id);
  });

  test("to the caller's namespace makes an owner, within the projects limit of the account", async () => {
    const { id } = await make();
    const { body } = await transfer(id, { namespace: "ann" });
    expect(body).toMatchObject({
      owner: { username: "ann" },
      permissions: { project_access: { access_level: accessLevels.owner } },
    });
    const few = await world.user({ username: "few", projects_limit: 0 });
    addMember(world, acme, few, "owner");
    const { id: other } = await make();
    const refused = await transfer(other, { namespace: "few" }, few.token);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toStartWith("Failed to transfer project");
  });

  test("requires a namespace that the caller can see and use", async () => {
    const { id, path } = await make();
    expect((await transfer(id, {})).body.error).toBe("namespace is missing");
    places.group({ path: "unseen" });
    const seen = places.group({ path: "seen", visibility: "public" });
    for (const namespace of ["unseen", "nowhere", "bob", 99_999, "99999999999999999999", "__proto__"]) {
      const { status, body } = await transfer(id, { namespace });
      expect({ namespace, status, body }).toEqual({
        namespace,
        status: 404,
        body: { message: "404 Namespace Not Found" },
      });
    }
    // A group takes projects from its maintainers, also where its developers make them.
    addMember(world, seen, ann, "developer");
    const refused = await transfer(id, { namespace: "seen" });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: {
        message: `Failed to transfer project {:new_namespace=>["You don't have permission to transfer projects into that namespace."]}`,
      },
    });
    expect((await transfer(id, { namespace: "acme" })).status).toBe(400);
    expect((await transfer(id, { namespace: "max" }, max.token)).status).toBe(403);
    addMember(world, seen, ann, "owner");
    await world.call("POST", "/projects", { token: ann.token, json: { path, namespace_id: seen.id } });
    const { status, body } = await transfer(id, { namespace: "seen" });
    expect(status).toBe(400);
    expect(body.message).toStartWith("Failed to transfer project");
  });
});
