import { defineArea } from "../../scenario.ts";
import { listOf, listWith } from "../../values.ts";
import { makeGroup, makeProject } from "../common.ts";

export const shares = defineArea("shares", (scenario) => {
  const id = makeGroup(scenario, "shares").get("id");
  const group_id = makeGroup(scenario, "shares-guests").get("id");
  const json = { group_id, group_access: 20 };
  scenario.call(
    "POST /groups/:id/share",
    { id },
    {
      json,
      expect: { id, shared_with_groups: [{ group_id, group_access_level: 20 }] },
      refusals: { guest: 404 },
    },
  );
  scenario.call("POST /groups/:id/share", { id }, { json, status: 409 });
  scenario.call("GET /groups/:id/invited_groups", { id }, { expect: [{ id: group_id }] });
  scenario.call("GET /groups/:id/groups/shared", { id: group_id }, { expect: [{ id }] });
  scenario.call("DELETE /groups/:id/share/:group_id", { id, group_id }, { as: "guest", status: 204, refusals: false });
  scenario.call("GET /groups/:id/invited_groups", { id }, { expect: [{ id: group_id }] });
  scenario.call("DELETE /groups/:id/share/:group_id", { id, group_id }, { refusals: { guest: false } });
  scenario.call("GET /groups/:id/invited_groups", { id }, { expect: listOf(0) });
  const project = makeProject(scenario, "shares-project").get("id");
  scenario.call(
    "POST /projects/:id/share",
    { id: project },
    { json, expect: { group_id, group_access: 20, project_id: project } },
  );
  scenario.call("GET /projects/:id/invited_groups", { id: project }, { expect: listWith({ id: group_id }) });
  scenario.call("DELETE /projects/:id/share/:group_id", { id: project, group_id });
  scenario.call("DELETE /projects/:id/share/:group_id", { id: project, group_id }, { status: 404 });
});
