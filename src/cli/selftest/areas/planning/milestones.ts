import { defineArea, type Scenario } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const milestones = defineArea("milestones", (scenario) => {
  inProject(scenario);
  inGroup(scenario);
});

function inProject(scenario: Scenario): void {
  const id = makeProject(scenario, "milestones").get("id");
  const milestone = scenario.call(
    "POST /projects/:id/milestones",
    { id },
    {
      json: { title: "1.0", description: "The first release", due_date: "2031-05-01" },
      expect: { title: "1.0", state: "active", due_date: "2031-05-01", project_id: id },
    },
  );
  const one = { id, milestone_id: milestone.get("id") };
  scenario.call("POST /projects/:id/milestones", { id }, { json: { title: "1.0" }, status: 400 });
  scenario.call("POST /projects/:id/milestones", { id }, { json: {}, status: 400 });
  scenario.call("GET /projects/:id/milestones", { id }, { expect: [{ id: milestone.get("id"), title: "1.0" }] });
  scenario.call("GET /projects/:id/milestones/:milestone_id", one, { expect: { description: "The first release" } });
  scenario.call("PUT /projects/:id/milestones/:milestone_id", one, {
    json: { state_event: "close" },
    expect: { state: "closed" },
  });
  scenario.call("GET /projects/:id/milestones", { id }, { query: { state: "active" }, expect: listOf(0) });
  scenario.call("POST /projects/:id/issues", { id }, { json: { title: "In it", milestone_id: milestone.get("id") } });
  scenario.call("GET /projects/:id/milestones/:milestone_id/issues", one, { expect: [{ title: "In it" }] });
  scenario.call("GET /projects/:id/milestones/:milestone_id/merge_requests", one, { expect: listOf(0) });
  scenario.call("POST /projects/:id/milestones/:milestone_id/promote", one);
  const other = scenario.call("POST /projects/:id/milestones", { id }, { json: { title: "2.0" } });
  scenario.call("DELETE /projects/:id/milestones/:milestone_id", { id, milestone_id: other.get("id") });
  scenario.call("GET /projects/:id/milestones/:milestone_id", { id, milestone_id: other.get("id") }, { status: 404 });
}

function inGroup(scenario: Scenario): void {
  const id = group.get("id");
  const milestone = scenario.call(
    "POST /groups/:id/milestones",
    { id },
    {
      json: { title: "Autumn", start_date: "2031-09-01" },
      expect: { title: "Autumn", group_id: id },
    },
  );
  const one = { id, milestone_id: milestone.get("id") };
  scenario.call("GET /groups/:id/milestones", { id }, { expect: listWith({ title: "Autumn" }) });
  scenario.call("GET /groups/:id/milestones/:milestone_id", one, { expect: { start_date: "2031-09-01" } });
  scenario.call("PUT /groups/:id/milestones/:milestone_id", one, {
    json: { title: "Winter" },
    expect: { title: "Winter" },
  });
  scenario.call("GET /groups/:id/milestones/:milestone_id/issues", one, { expect: listOf(0) });
  scenario.call("GET /groups/:id/milestones/:milestone_id/merge_requests", one, { expect: listOf(0) });
  scenario.call("DELETE /groups/:id/milestones/:milestone_id", one);
}
