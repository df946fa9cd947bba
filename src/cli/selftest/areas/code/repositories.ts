import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { derived, listOf, listWith, pattern, someText } from "../../values.ts";
import { makeProject } from "../common.ts";

const branch = "main";
/** Guests cannot read the code of a private project. */
const refusals = { guest: 403 } as const;

export const repositories = defineArea("repositories", (scenario) => {
  const project = makeProject(scenario, "repositories");
  const id = project.get("id");
  changeFiles(scenario, id);
  readHistory(scenario, id);
  changeRefs(scenario, id);
  fetchByGit(scenario, id, project.get("path_with_namespace"));
});

function changeFiles(scenario: Scenario, id: Reference): void {
  const file = { id, file_path: "docs/notes.md" };
  const path = "/projects/:id/repository/files/:file_path";
  scenario.call(`POST ${path}`, file, {
    json: { branch, content: "# Notes\n", commit_message: "Add notes" },
    expect: { file_path: "docs/notes.md", branch },
  });
  scenario.call(`POST ${path}`, file, { json: { branch, content: "x", commit_message: "Add notes" }, status: 400 });
  scenario.call(`PUT ${path}`, file, {
    json: { branch, content: "# Notes of the week\n", commit_message: "Change notes" },
    expect: { file_path: "docs/notes.md" },
  });
  scenario.call(`GET ${path}`, file, {
    query: { ref: branch },
    expect: { file_name: "notes.md", size: 20, encoding: "base64", content: btoa("# Notes of the week\n") },
    expectHeaders: { "X-Gitlab-File-Path": "docs/notes.md", "X-Gitlab-Size": "20" },
    refusals,
  });
  scenario.call(`GET ${path}/raw`, file, { query: { ref: branch }, expect: "# Notes of the week\n", refusals });
  const other = { id, file_path: "old.txt" };
  scenario.call(`POST ${path}`, other, { json: { branch, content: "old", commit_message: "Add a file" } });
  scenario.call(`DELETE ${path}`, other, { json: { branch, commit_message: "Remove a file" } });
  scenario.call(`GET ${path}`, other, { query: { ref: branch }, status: 404 });
}

function readHistory(scenario: Scenario, id: Reference): void {
  scenario.call(
    "GET /projects/:id/repository/tree",
    { id },
    { expect: listWith({ name: "docs", type: "tree" }), refusals },
  );
  scenario.call(
    "GET /projects/:id/repository/commits",
    { id },
    {
      query: { per_page: 1 },
      expect: [{ title: "Remove a file", id: pattern(/^[0-9a-f]{40}$/) }],
      expectHeaders: { "X-Next-Page": "2" },
      refusals,
    },
  );
  scenario.call(
    "GET /projects/:id/repository/commits/:sha",
    { id, sha: branch },
    { expect: { title: "Remove a file", message: someText, stats: { additions: 0 } }, refusals },
  );
}

function changeRefs(scenario: Scenario, id: Reference): void {
  scenario.call(
    "POST /projects/:id/repository/branches",
    { id },
    { json: { branch: "try", ref: branch }, expect: { name: "try" } },
  );
  scenario.call(
    "POST /projects/:id/repository/branches",
    { id },
    { json: { branch: "try", ref: branch }, status: 400 },
  );
  scenario.call("GET /projects/:id/repository/branches", { id }, { expect: listWith({ name: "try" }), refusals });
  scenario.call(
    "GET /projects/:id/repository/branches/:branch",
    { id, branch },
    { expect: { default: true }, refusals },
  );
  scenario.call("DELETE /projects/:id/repository/merged_branches", { id });
  scenario.call("DELETE /projects/:id/repository/branches/:branch", { id, branch: "try" });
  scenario.call("GET /projects/:id/repository/branches/:branch", { id, branch: "try" }, { status: 404 });
  scenario.call(
    "POST /projects/:id/repository/tags",
    { id },
    { json: { tag_name: "v1", ref: branch, message: "First" }, expect: { name: "v1", message: "First" } },
  );
  scenario.call("GET /projects/:id/repository/tags", { id }, { expect: [{ name: "v1" }], refusals });
  scenario.call(
    "GET /projects/:id/repository/tags/:tag_name",
    { id, tag_name: "v1" },
    { expect: { name: "v1" }, refusals },
  );
  scenario.call("DELETE /projects/:id/repository/tags/:tag_name", { id, tag_name: "v1" });
  scenario.call("GET /projects/:id/repository/tags", { id }, { expect: listOf(0) });
}

/** Fetches the files of a repository with the git protocol. */
function fetchByGit(scenario: Scenario, id: Reference, path: Reference): void {
  const commit = scenario.call("GET /projects/:id/repository/commits/:sha", { id, sha: branch });
  const folder = derived(commit.get("id"), (sha) => sha.slice(0, 2));
  const name = derived(commit.get("id"), (sha) => sha.slice(2));
  scenario.call("GET /*path.git/info/refs", { path }, { expect: pattern(/refs\/heads\/main/) });
  scenario.call("GET /*path.git/HEAD", { path }, { expect: pattern(/^ref: refs\/heads\/main/) });
  scenario.call("GET /*path.git/objects/info/packs", { path });
  scenario.call("GET /*path.git/objects/:folder/:name", { path, folder, name });
  // A flush packet alone checks the credentials.
  for (const service of ["git-upload-pack", "git-receive-pack"]) {
    const content = { raw: "0000", type: `application/x-${service}-request` };
    scenario.call(`POST /*path.git/${service}`, { path }, { content, status: 200 });
  }
}
