import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { developer, guest, stranger } from "../../setup.ts";
import { listWith } from "../../values.ts";
import { makeGroup, makeProject } from "../common.ts";

export const members = defineArea("members", (scenario) => {
  const group = makeGroup(scenario, "members").get("id");
  const project = makeProject(scenario, "members-of-it", { namespace_id: group }).get("id");
  manage(scenario, "/groups/:id", group);
  manage(scenario, "/projects/:id", project);
  scenario.call("GET /users/:id/memberships", { id: developer.id }, { expect: listWith({ access_level: 30 }) });
  const other = makeProject(scenario, "members-other").get("id");
  scenario.call(
    "POST /projects/:id/import_project_members/:project_id",
    { id: other, project_id: project },
    {
      expect: { status: "success" },
    },
  );
});

/** Adds, changes and removes a member of a group or project. */
function manage(scenario: Scenario, path: "/groups/:id" | "/projects/:id", id: Reference): void {
  const user_id = stranger.id;
  const one = { id, user_id };
  const refusals = { stranger: false } as const;
  scenario.call(
    `POST ${path}/members`,
    { id },
    {
      json: { user_id, access_level: 20, expires_at: "2031-01-01" },
      expect: { id: user_id, access_level: 20, expires_at: "2031-01-01" },
    },
  );
  scenario.call(`POST ${path}/members`, { id }, { json: { user_id, access_level: 20 }, status: 409 });
  scenario.call(`GET ${path}/members`, { id }, { expect: listWith({ id: user_id, access_level: 20 }), refusals });
  scenario.call(`GET ${path}/members/all`, { id }, { expect: listWith({ id: guest.id, access_level: 10 }), refusals });
  scenario.call(`GET ${path}/members/:user_id`, one, { expect: { access_level: 20 }, refusals });
  scenario.call(`GET ${path}/members/all/:user_id`, one, { expect: { access_level: 20 }, refusals });
  scenario.call(`PUT ${path}/members/:user_id`, one, {
    json: { access_level: 30 },
    expect: { access_level: 30 },
    refusals: { stranger: 403 },
  });
  scenario.call(`DELETE ${path}/members/:user_id`, one, { refusals });
  scenario.call(`GET ${path}/members/:user_id`, one, { status: 404 });
  scenario.call(`POST ${path}/members`, { id }, { json: { user_id: developer.id, access_level: 40 } });
}
