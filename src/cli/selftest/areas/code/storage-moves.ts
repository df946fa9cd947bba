import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { listWith } from "../../values.ts";
import { makeGroup, makeProject } from "../common.ts";

export const storageMoves = defineArea("repository-storage-moves", (scenario) => {
  const project = makeProject(scenario, "storage-moves").get("id");
  const snippet = scenario.call(
    "POST /projects/:id/snippets",
    { id: project },
    {
      json: { title: "Moved", visibility: "private", files: [{ file_path: "a.txt", content: "text" }] },
    },
  );
  move(scenario, "project", project);
  move(scenario, "snippet", snippet.get("id"));
  move(scenario, "group", makeGroup(scenario, "storage-moves-of-it").get("id"));
});

/** Moves one; the calls that move all of a storage are left out, because they change the whole instance. */
function move(scenario: Scenario, kind: "project" | "snippet" | "group", id: Reference): void {
  const own = `/${kind}s/:id/repository_storage_moves`;
  const all = `/${kind}_repository_storage_moves`;
  const made = scenario.call(`POST ${own}`, { id }, { json: {}, expect: { [kind]: { id } } });
  const repository_storage_move_id = made.get("id");
  const one = { id, repository_storage_move_id };
  scenario.call(`GET ${own}`, { id }, { expect: listWith({ id: repository_storage_move_id }) });
  scenario.call(`GET ${own}/:repository_storage_move_id`, one, {
    expect: { state: "finished" },
    waits: true,
  });
  scenario.call(`GET ${all}`, {}, { expect: listWith({ id: repository_storage_move_id }) });
  scenario.call(
    `GET ${all}/:repository_storage_move_id`,
    { repository_storage_move_id },
    { expect: { state: "finished" } },
  );
}
