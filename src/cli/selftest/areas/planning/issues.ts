import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { developer, group, guest } from "../../setup.ts";
import { listOf, listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const issues = defineArea("issues", (scenario) => {
  const project = makeProject(scenario, "issues");
  const id = project.get("id");
  const issue = scenario.call(
    "POST /projects/:id/issues",
    { id },
    {
      json: { title: "The roof leaks", description: "In the north", labels: "roof,urgent", due_date: "2031-02-03" },
      expect: { title: "The roof leaks", state: "opened", iid: 1, labels: ["roof", "urgent"], due_date: "2031-02-03" },
    },
  );
  const one = { id, issue_iid: issue.get("iid") };
  scenario.call("POST /projects/:id/issues", { id }, { json: {}, status: 400 });
  scenario.call(
    "POST /projects/:id/issues",
    { id },
    { as: "guest", json: { title: "A draught" }, expect: { author: { id: guest.id } } },
  );
  scenario.call("GET /projects/:id/issues", { id }, { query: { labels: "roof" }, expect: [{ iid: 1 }] });
  scenario.call("GET /projects/:id/issues", { id }, { query: { state: "closed" }, expect: listOf(0) });
  scenario.call("GET /groups/:id/issues", { id: group.get("id") }, { expect: listWith({ id: issue.get("id") }) });
  scenario.call(
    "GET /issues",
    {},
    { query: { scope: "all", search: "roof leaks" }, expect: listWith({ id: issue.get("id") }) },
  );
  scenario.call("GET /issues/:id", { id: issue.get("id") }, { expect: { iid: 1, project_id: id } });
  scenario.call("GET /projects/:id/issues/:issue_iid", one, { expect: { references: { short: "#1" } } });
  scenario.call("GET /projects/:id/issues/:issue_iid", { id, issue_iid: 4711 }, { status: 404 });
  change(scenario, one);
  subscribe(scenario, one, issue.get("author.id"));
  trackTime(scenario, one);
  moveAndDelete(scenario, one);
});

interface OneIssue {
  readonly id: Reference;
  readonly issue_iid: Reference;
}

function change(scenario: Scenario, one: OneIssue): void {
  scenario.call("PUT /projects/:id/issues/:issue_iid", one, {
    json: { state_event: "close", add_labels: "done" },
    expect: { state: "closed", labels: listWith("done") },
    refusals: { guest: 403 },
  });
  scenario.call("PUT /projects/:id/issues/:issue_iid", one, {
    json: { state_event: "reopen" },
    expect: { state: "opened" },
  });
  scenario.call("PUT /projects/:id/issues/:issue_iid", one, {
    json: { assignee_ids: [developer.id] },
    expect: { assignees: [{ id: developer.id }] },
  });
}

function subscribe(scenario: Scenario, one: OneIssue, author: Reference): void {
  scenario.call("POST /projects/:id/issues/:issue_iid/subscribe", one, { as: "developer", status: 304 });
  scenario.call("POST /projects/:id/issues/:issue_iid/unsubscribe", one, { expect: { subscribed: false } });
  scenario.call("POST /projects/:id/issues/:issue_iid/subscribe", one, { expect: { subscribed: true } });
  scenario.call("GET /projects/:id/issues/:issue_iid/participants", one, {
    expect: listWith({ id: author }),
  });
  scenario.call("GET /projects/:id/issues/:issue_iid/related_merge_requests", one, { expect: listOf(0) });
  scenario.call("GET /projects/:id/issues/:issue_iid/closed_by", one, { expect: listOf(0) });
}

function trackTime(scenario: Scenario, one: OneIssue): void {
  const refusals = { guest: 403 };
  scenario.call("POST /projects/:id/issues/:issue_iid/time_estimate", one, {
    json: { duration: "3h30m" },
    expect: { time_estimate: 12_600, human_time_estimate: "3h 30m" },
    refusals,
  });
  scenario.call("POST /projects/:id/issues/:issue_iid/add_spent_time", one, {
    json: { duration: "1h" },
    expect: { total_time_spent: 3600 },
    refusals,
  });
  scenario.call("GET /projects/:id/issues/:issue_iid/time_stats", one, {
    expect: { time_estimate: 12_600, total_time_spent: 3600 },
  });
  scenario.call("POST /projects/:id/issues/:issue_iid/reset_time_estimate", one, {
    expect: { time_estimate: 0 },
    refusals,
  });
  scenario.call("POST /projects/:id/issues/:issue_iid/reset_spent_time", one, {
    expect: { total_time_spent: 0 },
    refusals,
  });
}

function moveAndDelete(scenario: Scenario, one: OneIssue): void {
  const other = scenario.call("POST /projects/:id/issues", { id: one.id }, { json: { title: "The door sticks" } });
  scenario.call("PUT /projects/:id/issues/:issue_iid/reorder", one, {
    json: { move_after_id: other.get("id") },
    expect: { title: "The roof leaks" },
    refusals: { guest: 403 },
  });
  const target = makeProject(scenario, "issues-target").get("id");
  const moved = scenario.call("POST /projects/:id/issues/:issue_iid/move", one, {
    json: { to_project_id: target },
    expect: { project_id: target, title: "The roof leaks" },
    refusals: { guest: 400 },
  });
  scenario.call("GET /projects/:id/issues/:issue_iid", one, {
    expect: { moved_to_id: moved.get("id"), state: "closed" },
  });
  scenario.call("DELETE /projects/:id/issues/:issue_iid", one, { refusals: { guest: 403 } });
  scenario.call("GET /projects/:id/issues/:issue_iid", one, { status: 404 });
}
