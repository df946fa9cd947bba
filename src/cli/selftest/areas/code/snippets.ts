import { defineArea, type Scenario } from "../../scenario.ts";
import { owner } from "../../setup.ts";
import { listWith } from "../../values.ts";
import { makeProject } from "../common.ts";

const json = { title: "Colours", visibility: "private", files: [{ file_path: "colours.css", content: "body {}\n" }] };

const headers = { "User-Agent": "selftest" };

export const snippets = defineArea("snippets", (scenario) => {
  usePersonal(scenario);
  const id = makeProject(scenario, "snippets").get("id");
  const snippet = scenario.call(
    "POST /projects/:id/snippets",
    { id },
    {
      json,
      headers,
      expect: { title: "Colours", project_id: id, files: [{ path: "colours.css" }] },
    },
  );
  const one = { id, snippet_id: snippet.get("id") };
  scenario.call("POST /projects/:id/snippets", { id }, { json: {}, status: 400 });
  scenario.call("GET /projects/:id/snippets", { id }, { expect: [{ id: snippet.get("id") }] });
  scenario.call("GET /projects/:id/snippets/:snippet_id", one, { expect: { title: "Colours" } });
  scenario.call("GET /projects/:id/snippets/:snippet_id/raw", one, { expect: "body {}\n" });
  const refusals = { guest: 403 } as const;
  scenario.call("PUT /projects/:id/snippets/:snippet_id", one, {
    json: { title: "Shades" },
    expect: { title: "Shades" },
    refusals,
  });
  scenario.call("GET /projects/:id/snippets/:snippet_id/user_agent_detail", one, {
    expect: { user_agent: "selftest", akismet_submitted: false },
    needs: "administrator",
    refusals,
  });
  scenario.call("DELETE /projects/:id/snippets/:snippet_id", one, { refusals });
  scenario.call("GET /projects/:id/snippets/:snippet_id", one, { status: 404 });
});

function usePersonal(scenario: Scenario): void {
  const snippet = scenario.call(
    "POST /snippets",
    {},
    { as: "owner", json, headers, expect: { author: { id: owner.id }, visibility: "private" } },
  );
  const id = snippet.get("id");
  const as = "owner";
  scenario.call("GET /snippets", {}, { as, expect: listWith({ id }) });
  scenario.call("GET /snippets/:id", { id }, { as, expect: { title: "Colours" } });
  scenario.call("GET /snippets/:id", { id }, { as: "stranger", status: 404 });
  scenario.call("GET /snippets/:id", { id }, { as: "anonymous", status: 404 });
  scenario.call("GET /snippets/:id/raw", { id }, { as, expect: "body {}\n" });
  const change = { title: "Shades", visibility: "public" };
  scenario.call("PUT /snippets/:id", { id }, { as, json: change, expect: change });
  scenario.call("GET /snippets/public", {}, { as: "stranger", expect: listWith({ id }) });
  scenario.call("GET /snippets/all", {}, { as: "stranger", expect: listWith({ id }) });
  scenario.call("GET /snippets/:id/user_agent_detail", { id }, { expect: { user_agent: "selftest" } });
  scenario.call("GET /snippets/:id/user_agent_detail", { id }, { as, status: 403 });
  scenario.call("DELETE /snippets/:id", { id }, { as });
  scenario.call("GET /snippets/:id", { id }, { as, status: 404 });
}
