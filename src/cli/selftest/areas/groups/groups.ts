import { defineArea, type Scenario } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith, pathOf, pattern, someText, text } from "../../values.ts";
import { makeGroup, makeProject, onePixel } from "../common.ts";

export const groups = defineArea("groups", (scenario) => {
  const parent_id = group.get("id");
  const made = scenario.call(
    "POST /groups",
    {},
    {
      json: { name: "Apps", path: "apps", parent_id, description: "All apps" },
      expect: { path: "apps", parent_id, full_path: text`${group.get("path")}/apps`, visibility: "private" },
    },
  );
  const id = made.get("id");
  scenario.call("POST /groups", {}, { json: { name: "Apps", path: "apps", parent_id }, status: 400 });
  scenario.call("POST /groups", {}, { json: { name: "Apps" }, status: 400 });
  scenario.call("GET /groups", {}, { query: { search: group.get("path") }, expect: listWith({ id: parent_id }) });
  scenario.call("GET /groups", {}, { as: "anonymous", query: { search: group.get("path") }, expect: listOf(0) });
  scenario.call("GET /groups/:id", { id }, { expect: { description: "All apps" } });
  scenario.call("GET /groups/:id", { id: made.get("full_path") }, { expect: { id } });
  scenario.call("PUT /groups/:id", { id }, { json: { description: "Our apps" }, expect: { description: "Our apps" } });
  scenario.call("GET /groups/:id/subgroups", { id: parent_id }, { expect: listWith({ id }) });
  const child = makeGroup(scenario, "mobile", { parent_id: id });
  scenario.call("GET /groups/:id/descendant_groups", { id: parent_id }, { expect: listWith({ id: child.get("id") }) });
  const project = makeProject(scenario, "groups", { namespace_id: id });
  scenario.call("GET /groups/:id/projects", { id }, { expect: [{ id: project.get("id") }] });
  scenario.call("GET /groups/:id/projects/shared", { id }, { expect: listOf(0) });
  const target = makeGroup(scenario, "target").get("id");
  scenario.call(
    "GET /groups/:id/transfer_locations",
    { id: child.get("id") },
    { query: { search: "target" }, expect: listWith({ id: target }) },
  );
  scenario.call(
    "POST /groups/:id/transfer",
    { id: child.get("id") },
    { json: { group_id: target }, expect: { parent_id: target } },
  );
  scenario.call(
    "POST /groups/:id/projects/:project_id",
    { id: target, project_id: project.get("id") },
    { json: {}, refusals: { guest: 403 }, needs: "administrator" },
  );
  scenario.call("DELETE /groups/:id", { id: target });
  scenario.call("GET /groups/:id", { id: target }, { status: 404, waits: true });
  showAvatar(scenario);
});

function showAvatar(scenario: Scenario): void {
  const made = makeGroup(scenario, "pictured-group").get("id");
  const picture = { file: { field: "avatar", name: "group.png", bytes: onePixel } };
  const changed = scenario.call(
    "PUT /groups/:id",
    { id: made },
    { content: picture, expect: { avatar_url: someText } },
  );
  scenario.call("GET /uploads/-/system/group/avatar/:id/:filename", pathOf(changed.get("avatar_url")), {
    expectHeaders: { "Content-Type": pattern(/^image\/png/) },
  });
}
