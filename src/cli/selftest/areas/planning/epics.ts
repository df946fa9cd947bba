import { defineArea } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const epics = defineArea("epics", (scenario) => {
  const id = group.get("id");
  const project = makeProject(scenario, "epics").get("id");
  const issue = scenario.call("POST /projects/:id/issues", { id: project }, { json: { title: "A part" } });
  const epic = scenario.call(
    "POST /groups/:id/epics",
    { id },
    {
      json: { title: "A new roof", labels: "roof" },
      expect: { title: "A new roof", state: "opened", group_id: id, labels: ["roof"] },
    },
  );
  const one = { id, epic_iid: epic.get("iid") };
  scenario.call("GET /groups/:id/epics", { id }, { expect: listWith({ id: epic.get("id") }) });
  scenario.call("GET /groups/:id/epics/:epic_iid", one, { expect: { title: "A new roof" } });
  scenario.call("PUT /groups/:id/epics/:epic_iid", one, {
    json: { state_event: "close" },
    expect: { state: "closed" },
  });
  const part = scenario.call("POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id", {
    ...one,
    epic_issue_id: issue.get("id"),
  });
  const link = { ...one, epic_issue_id: part.get("id") };
  scenario.call("GET /groups/:id/epics/:epic_iid/issues", one, { expect: [{ id: issue.get("id") }] });
  scenario.call("PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id", link);
  scenario.call("DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id", link);
  scenario.call("GET /groups/:id/epics/:epic_iid/issues", one, { expect: listOf(0) });
  scenario.call("DELETE /groups/:id/epics/:epic_iid", one);
  scenario.call("GET /groups/:id/epics/:epic_iid", one, { status: 404 });
});
