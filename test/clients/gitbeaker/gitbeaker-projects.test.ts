import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { picture } from "../../support/browser/pictures.ts";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-projects.mjs");
  const PICTURE = Buffer.from(picture("png")).toString("base64");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken, PICTURE });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates projects, for other users and with an avatar too", () => {
  expect(seen.created).toMatchObject({
    path_with_namespace: "acme/foo-project",
    topics: ["api", "web"],
    wiki_access_level: "private",
    namespace: { kind: "group" },
  });
  expect(seen.forUser).toMatchObject({ path_with_namespace: "mara/Gift", owner: { username: "mara" } });
  expect(seen.pictured).toStartWith(`${outpost.origin}/uploads/-/system/project/avatar/`);
});

test("gitbeaker shows and changes a project", () => {
  expect(seen.shown).toMatchObject({ commit_count: 0, repository_size: 0 });
  expect(seen.edited).toMatchObject({
    description: "Ships & “sails”",
    merge_method: "ff",
    issues_access_level: "disabled",
  });
});

test("gitbeaker follows the pages of lists, by keyset as well", () => {
  const ids = Array.from({ length: 27 }, (_, place) => place + 1);
  expect(seen.all).toBe(27);
  expect(seen.keyset).toEqual(ids);
  expect(seen.keysetDown).toEqual(ids.toReversed());
  expect([seen.search, seen.topic, seen.anonymous]).toEqual(Array(3).fill(["acme/foo-project"]));
  expect(seen.ofUser).toEqual(["mara/Gift"]);
  expect(seen.ofGroup).toEqual(["acme/foo-project"]);
  expect(seen.shared).toEqual([]);
});

test("gitbeaker stars, archives, transfers and deletes a project", () => {
  expect([seen.starred, seen.unstarred, seen.archived]).toEqual([1, 0, [true, false]]);
  expect([seen.users, seen.groups, seen.invited]).toEqual([["mara"], ["acme"], []]);
  expect(seen.storage).toMatchObject({ project_id: seen.created.id, repository_storage: "default" });
  expect([seen.transferred, seen.followed]).toEqual(["mara/foo-project", "mara/foo-project"]);
  expect(seen.withoutPicture).toBeNull();
  expect(seen.removed).toEqual({ message: "202 Accepted" });
  expect([seen.afterRemoval, seen.taken]).toEqual([404, 400]);
});
