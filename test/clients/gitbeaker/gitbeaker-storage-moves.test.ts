import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({
    env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" },
    args: ["--repository-storages", "default,storage2"],
  });
  const script = join(import.meta.dir, "scripts/gitbeaker-storage-moves.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates, shows, changes and lists snippets", () => {
  expect(seen.own).toMatchObject({ title: "Own", visibility: "private", file_name: "a.rb", project_id: null });
  expect(seen.edited).toMatchObject({ id: seen.own.id, title: "New" });
  expect(seen.shown).toEqual(seen.edited);
  expect([seen.content, seen.contentAfter]).toEqual(["puts 2", "puts 2"]);
  expect(seen.all).toEqual([seen.own.id]);
  expect(seen.inProject).toMatchObject({ visibility: "public", project_id: seen.project });
  expect(seen.projectAll).toEqual([seen.inProject.id]);
  expect(seen.projectShown).toEqual(seen.inProject);
  expect(seen.projectEdited.title).toBe("New");
  expect(seen.projectContent).toBe("puts 1");
  expect([seen.removed, seen.left]).toEqual([
    [null, null],
    [[], []],
  ]);
});

test("gitbeaker schedules moves of a project, a group and a snippet, and follows them", () => {
  const scheduled = { state: "scheduled", source_storage_name: "default", destination_storage_name: "storage2" };
  expect(seen.projectMove).toMatchObject({ ...scheduled, project: { id: seen.project } });
  expect(seen.groupMove).toMatchObject({ ...scheduled, group: { name: "Skylark" } });
  expect(seen.snippetMove).toMatchObject({ ...scheduled, snippet: { id: seen.own.id, title: "New" } });
  expect([seen.projectStates, seen.groupStates, seen.snippetStates]).toEqual([
    ["finished"],
    ["finished"],
    ["finished"],
  ]);
  expect(seen.projectMoved).toMatchObject({ id: seen.projectMove.id, state: "finished" });
  expect(seen.projectMovedThere).toEqual(seen.projectMoved);
});

test("gitbeaker moves all repositories of a storage", () => {
  expect(seen.back).toEqual({ message: "202 Accepted" });
  expect(seen.allStates).toEqual(["finished", "finished"]);
  expect(seen.storage).toEqual([seen.project]);
  expect(seen.elsewhere).toEqual([]);
});
