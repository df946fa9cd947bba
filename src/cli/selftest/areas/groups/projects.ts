import { defineArea, type Scenario } from "../../scenario.ts";
import { group, guest, owner, stranger } from "../../setup.ts";
import { listOf, listWith, pathOf, pattern, someText, text, unique } from "../../values.ts";
import { makeGroup, makeProject, onePixel } from "../common.ts";

export const projects = defineArea("projects", (scenario) => {
  const project = makeProject(scenario, "station", { description: "Weather", initialize_with_readme: true });
  const id = project.get("id");
  scenario.call("POST /projects", {}, { json: { path: "station", namespace_id: group.get("id") }, status: 400 });
  scenario.call("POST /projects", {}, { json: {}, status: 400 });
  scenario.call(
    "POST /projects",
    {},
    { as: "stranger", json: { path: "intruder", namespace_id: group.get("id") }, status: 400 },
  );
  scenario.call(
    "GET /projects",
    {},
    { query: { search: "station", search_namespaces: true, membership: true }, expect: listWith({ id }) },
  );
  scenario.call(
    "GET /projects/:id",
    { id },
    {
      expect: {
        description: "Weather",
        path_with_namespace: text`${group.get("path")}/station`,
        visibility: "private",
      },
    },
  );
  scenario.call("GET /projects/:id", { id: project.get("path_with_namespace") }, { expect: { id } });
  scenario.call("GET /projects/:id", { id: 2_147_483_647 }, { status: 404 });
  scenario.call("PUT /projects/:id", { id }, { json: { topics: ["roof"] }, expect: { topics: ["roof"] } });
  scenario.call("POST /projects/:id/star", { id }, { as: "guest", expect: { star_count: 1 } });
  scenario.call("POST /projects/:id/star", { id }, { as: "guest", status: 304 });
  scenario.call("GET /projects/:id/starrers", { id }, { expect: [{ user: { id: guest.id } }] });
  scenario.call(
    "GET /users/:user_id/starred_projects",
    { user_id: guest.id },
    { as: "guest", expect: listWith({ id }) },
  );
  scenario.call("GET /users/:user_id/contributed_projects", { user_id: guest.id }, { as: "guest" });
  scenario.call("POST /projects/:id/unstar", { id }, { as: "guest", expect: { star_count: 0 } });
  scenario.call("GET /projects/:id/users", { id }, { expect: listWith({ id: guest.id }) });
  scenario.call("GET /projects/:id/groups", { id }, { expect: listWith({ id: group.get("id") }) });
  scenario.call("GET /projects/:id/invited_groups", { id }, { expect: listOf(0) });
  scenario.call("GET /projects/:id/storage", { id }, { expect: { project_id: id }, needs: "administrator" });
  scenario.call("POST /projects/:id/archive", { id }, { expect: { archived: true } });
  scenario.call("POST /projects/:id/unarchive", { id }, { expect: { archived: false } });
  move(scenario);
  useOtherNamespace(scenario);
  showAvatar(scenario);
});

function move(scenario: Scenario): void {
  const id = makeProject(scenario, "moved").get("id");
  const target = makeGroup(scenario, "projects-target");
  const found = { query: { search: "projects-target" }, expect: listWith({ id: target.get("id") }) };
  scenario.call("GET /projects/:id/transfer_locations", { id }, found);
  scenario.call("GET /projects/:id/share_locations", { id }, found);
  scenario.call(
    "PUT /projects/:id/transfer",
    { id },
    {
      json: { namespace: target.get("id") },
      expect: { path_with_namespace: text`${target.get("full_path")}/moved` },
    },
  );
  scenario.call("DELETE /projects/:id", { id });
  scenario.call("GET /projects/:id", { id }, { status: 404, waits: true });
}

function useOtherNamespace(scenario: Scenario): void {
  const user_id = owner.id;
  const own = scenario.call(
    "POST /projects/user/:user_id",
    { user_id },
    { json: { name: unique("own") }, expect: { namespace: { kind: "user", path: owner.username } } },
  );
  scenario.call("GET /users/:user_id/projects", { user_id }, { expect: [{ id: own.get("id") }] });
  scenario.call("GET /projects/:id", { id: own.get("id") }, { as: stranger.token, status: 404 });
}

function showAvatar(scenario: Scenario): void {
  const id = makeProject(scenario, "pictured-project").get("id");
  const picture = { file: { field: "avatar", name: "project.png", bytes: onePixel } };
  const changed = scenario.call("PUT /projects/:id", { id }, { content: picture, expect: { avatar_url: someText } });
  scenario.call("GET /uploads/-/system/project/avatar/:id/:filename", pathOf(changed.get("avatar_url")), {
    expectHeaders: { "Content-Type": pattern(/^image\/png/) },
  });
}
