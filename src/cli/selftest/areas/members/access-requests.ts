import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { stranger } from "../../setup.ts";
import { listOf } from "../../values.ts";
import { makeInternalGroup } from "../common.ts";

/** The group is visible to all signed-in users, since a user can only request access to a visible group. */
export const accessRequests = defineArea("access-requests", (scenario) => {
  const group = makeInternalGroup(scenario, "requests");
  const project = scenario.call(
    "POST /projects",
    {},
    {
      json: { path: "asked", namespace_id: group.get("id"), visibility: "internal" },
    },
  );
  ask(scenario, "/projects/:id", project.get("id"));
  ask(scenario, "/groups/:id", group.get("id"));
});

function ask(scenario: Scenario, path: "/groups/:id" | "/projects/:id", id: Reference): void {
  const user_id = stranger.id;
  const one = { id, user_id };
  const refusals = { guest: 403, stranger: 403 } as const;
  scenario.call(
    `POST ${path}/access_requests`,
    { id },
    { as: "stranger", expect: { id: user_id }, refusals: { stranger: false } },
  );
  scenario.call(`POST ${path}/access_requests`, { id }, { as: "stranger", status: 400 });
  scenario.call(`GET ${path}/access_requests`, { id }, { expect: [{ id: user_id }], refusals });
  scenario.call(`DELETE ${path}/access_requests/:user_id`, one, { refusals: { guest: 403, stranger: false } });
  scenario.call(`POST ${path}/access_requests`, { id }, { as: "stranger" });
  scenario.call(`PUT ${path}/access_requests/:user_id/approve`, one, {
    json: { access_level: 20 },
    expect: { access_level: 20 },
    refusals,
  });
  scenario.call(`PUT ${path}/access_requests/:user_id/approve`, one, { status: 404 });
  scenario.call(`GET ${path}/access_requests`, { id }, { expect: listOf(0) });
}
