import { expect, test } from "bun:test";
import { join } from "node:path";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { runClientScript } from "../../support/process/client-script.ts";

const world = await startWorld();

test("gitbeaker commits, picks, comments, blames and gets archives", async () => {
  const script = join(import.meta.dir, "scripts/gitbeaker-commits.mjs");
  expect(await runClientScript(["node", script], { HOST: world.origin, TOKEN: rootToken })).toEqual({
    tried: { dry_run: "success" },
    picked: ["Change 2", true],
    again: 400,
    reverted: 'Revert "Change 2"',
    diff: ["a", "x"],
    status: "success",
    statuses: ["lint"],
    comment: 3,
    comments: ["Good"],
    discussion: ["Why?"],
    blame: [["0", "1"], ["two"]],
    base: true,
    contributors: [3],
    archive: "PK",
    changelog: "### fixed (1 change)",
  });
}, 120_000);
