import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-repositories.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates a repository with a README", () => {
  expect(seen.project).toMatchObject({
    default_branch: "main",
    empty_repo: false,
    readme_url: `${outpost.origin}/root/ledger/-/blob/main/README.md`,
  });
});

test("gitbeaker writes, reads and removes files", () => {
  expect(seen.created).toEqual({ file_path: "src/a b.txt", branch: "main" });
  expect([seen.binary.file_path, seen.edited.file_path]).toEqual(["b.bin", "src/a b.txt"]);
  expect(seen.shown).toMatchObject({ content: btoa("two"), size: 3, ref: "main" });
  expect(seen.raw).toBe("two");
  expect(seen.twice).toMatchObject({ status: 400, message: expect.stringContaining("already exists") });
  expect([seen.removed, seen.gone.status]).toEqual([null, 404]);
});

test("gitbeaker creates and removes branches and tags", () => {
  expect(seen.branches).toEqual(["feature/one", "main"]);
  expect(seen.oneBranch).toEqual(seen.branch);
  expect([seen.branchRemoved, seen.branchGone.status]).toEqual([null, 404]);
  expect(seen.tag).toMatchObject({ name: "v1.0", message: "The first" });
  expect(seen.tags).toEqual(["v1.0"]);
  expect(seen.oneTag).toEqual(seen.tag);
  expect(seen.tagRemoved).toBeNull();
});

test("gitbeaker walks the tree, by both ways of paging, and the commits", () => {
  expect(seen.tree).toEqual(["src", "README.md", "b.bin", "src/a b.txt"]);
  expect(seen.keyset).toEqual(seen.tree);
  expect(seen.commits).toEqual([
    ["Change a", "Administrator"],
    ["Add b", "Administrator"],
    ["Add a", "Ines"],
    ["Initial commit", "Administrator"],
  ]);
  expect(seen.commit).toMatchObject({ title: "Change a", parent_ids: [expect.any(String)] });
  expect(seen.ofPath).toEqual(["Change a", "Add a"]);
});
