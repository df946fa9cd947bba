import { defineArea, type Scenario, type Value } from "../../scenario.ts";
import { guest } from "../../setup.ts";
import { listOf, listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

export const notes = defineArea("notes", (scenario) => {
  const id = makeProject(scenario, "notes").get("id");
  const issue = scenario.call("POST /projects/:id/issues", { id }, { json: { title: "Talk" } });
  const on = { id, issue_iid: issue.get("iid") };
  const note = scenario.call("POST /projects/:id/issues/:issue_iid/notes", on, {
    json: { body: "I agree." },
    expect: { body: "I agree.", system: false, noteable_type: "Issue", noteable_iid: issue.get("iid") },
  });
  const one = { ...on, note_id: note.get("id") };
  scenario.call("POST /projects/:id/issues/:issue_iid/notes", on, { json: {}, status: 400 });
  scenario.call("POST /projects/:id/issues/:issue_iid/notes", on, {
    as: "guest",
    json: { body: "So do I." },
    expect: { author: { id: guest.id } },
  });
  scenario.call("GET /projects/:id/issues/:issue_iid/notes", on, { expect: listWith({ id: note.get("id") }) });
  scenario.call("GET /projects/:id/issues/:issue_iid/notes/:note_id", one, { expect: { body: "I agree." } });
  scenario.call("PUT /projects/:id/issues/:issue_iid/notes/:note_id", one, {
    json: { body: "I do not." },
    expect: { body: "I do not." },
    refusals: { guest: 403 },
  });
  scenario.call("DELETE /projects/:id/issues/:issue_iid/notes/:note_id", one, { refusals: { guest: 403 } });
  scenario.call("GET /projects/:id/issues/:issue_iid/notes/:note_id", one, { status: 404 });
});

export const awardEmoji = defineArea("award-emoji", (scenario) => {
  const id = makeProject(scenario, "award-emoji").get("id");
  const issue = scenario.call("POST /projects/:id/issues", { id }, { json: { title: "Well done" } });
  const onIssue = { id, issue_iid: issue.get("iid") };
  const note = scenario.call("POST /projects/:id/issues/:issue_iid/notes", onIssue, { json: { body: "Yes" } });
  const onNote = { ...onIssue, note_id: note.get("id") };
  const snippet = scenario.call(
    "POST /projects/:id/snippets",
    { id },
    {
      json: { title: "A snippet", visibility: "private", files: [{ file_path: "a.txt", content: "text" }] },
    },
  );
  const onSnippet = { id, snippet_id: snippet.get("id") };
  react(scenario, "/projects/:id/issues/:issue_iid", onIssue);
  react(scenario, "/projects/:id/issues/:issue_iid/notes/:note_id", onNote);
  react(scenario, "/projects/:id/snippets/:snippet_id", onSnippet);
});

/** All operations on the reactions of one subject, which has this path. */
function react(scenario: Scenario, path: string, subject: Readonly<Record<string, Value>>): void {
  const award = scenario.call(`POST ${path}/award_emoji`, subject, {
    json: { name: "rocket" },
    expect: { name: "rocket" },
  });
  const one = { ...subject, award_id: award.get("id") };
  scenario.call(`POST ${path}/award_emoji`, subject, { json: { name: "no-such-emoji" }, status: 404 });
  scenario.call(`GET ${path}/award_emoji`, subject, { expect: [{ id: award.get("id"), name: "rocket" }] });
  scenario.call(`GET ${path}/award_emoji/:award_id`, one, { expect: { name: "rocket" } });
  scenario.call(`DELETE ${path}/award_emoji/:award_id`, one);
  scenario.call(`GET ${path}/award_emoji`, subject, { expect: listOf(0) });
}
