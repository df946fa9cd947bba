import { defineArea, type Scenario } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith, pattern } from "../../values.ts";
import { makeProject } from "../common.ts";

export const labels = defineArea("labels", (scenario) => {
  inProject(scenario);
  inGroup(scenario);
});

function inProject(scenario: Scenario): void {
  const id = makeProject(scenario, "labels").get("id");
  const label = scenario.call(
    "POST /projects/:id/labels",
    { id },
    {
      json: { name: "bug", color: "#d9534f", description: "Something is wrong", priority: 1 },
      expect: { name: "bug", color: "#d9534f", is_project_label: true },
    },
  );
  const one = { id, label_id: label.get("id") };
  scenario.call("POST /projects/:id/labels", { id }, { json: { name: "bug", color: "red" }, status: 409 });
  scenario.call("POST /projects/:id/labels", { id }, { json: { color: "red" }, status: 400 });
  const second = scenario.call(
    "POST /projects/:id/labels",
    { id },
    {
      json: { name: "docs", color: "teal" },
      expect: { color: pattern(/^#[0-9a-f]{6}$/) },
    },
  );
  scenario.call("GET /projects/:id/labels", { id }, { expect: listWith({ name: "bug", priority: 1 }) });
  scenario.call(
    "GET /projects/:id/labels",
    { id },
    {
      query: { per_page: 1 },
      expect: listOf(1),
      expectHeaders: { "X-Total": "2", "X-Next-Page": "2", Link: pattern(/page=2[^>]*>; rel="next"/) },
    },
  );
  scenario.call("GET /projects/:id/labels/:label_id", one, { expect: { id: label.get("id"), name: "bug" } });
  scenario.call("PUT /projects/:id/labels/:label_id", one, {
    json: { new_name: "defect" },
    expect: { name: "defect" },
  });
  scenario.call(
    "PUT /projects/:id/labels",
    { id },
    {
      json: { name: "docs", description: "About the manual" },
      expect: { id: second.get("id"), description: "About the manual" },
    },
  );
  scenario.call("POST /projects/:id/labels/:label_id/subscribe", one, { expect: { subscribed: true } });
  scenario.call("POST /projects/:id/labels/:label_id/subscribe", one, { status: 304 });
  scenario.call("POST /projects/:id/labels/:label_id/unsubscribe", one, { expect: { subscribed: false } });
  scenario.call("PUT /projects/:id/labels/:label_id/promote", one, { expect: { name: "defect" } });
  scenario.call("PUT /projects/:id/labels/promote", { id }, { json: { name: "docs" } });
  for (const name of ["old", "older"])
    scenario.call("POST /projects/:id/labels", { id }, { json: { name, color: "red" } });
  scenario.call("DELETE /projects/:id/labels", { id }, { query: { name: "old" } });
  scenario.call("DELETE /projects/:id/labels/:label_id", { id, label_id: "older" });
  scenario.call("GET /projects/:id/labels/:label_id", { id, label_id: "older" }, { status: 404 });
}

function inGroup(scenario: Scenario): void {
  const id = group.get("id");
  const label = scenario.call("POST /groups/:id/labels", { id }, { json: { name: "shared", color: "#123456" } });
  const one = { id, label_id: label.get("id") };
  scenario.call("GET /groups/:id/labels", { id }, { expect: listWith({ name: "shared" }) });
  scenario.call("GET /groups/:id/labels/:label_id", one, { expect: { color: "#123456" } });
  scenario.call("PUT /groups/:id/labels/:label_id", one, { json: { color: "#abcdef" }, expect: { color: "#abcdef" } });
  scenario.call(
    "PUT /groups/:id/labels",
    { id },
    { json: { name: "shared", description: "All" }, expect: { description: "All" } },
  );
  scenario.call("POST /groups/:id/labels/:label_id/subscribe", one, { expect: { subscribed: true } });
  scenario.call("POST /groups/:id/labels/:label_id/unsubscribe", one, { expect: { subscribed: false } });
  scenario.call("DELETE /groups/:id/labels/:label_id", one);
  scenario.call("POST /groups/:id/labels", { id }, { json: { name: "short-lived", color: "red" } });
  scenario.call("DELETE /groups/:id/labels", { id }, { query: { name: "short-lived" } });
}
