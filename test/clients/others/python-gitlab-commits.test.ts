import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { installTool } from "../../support/process/system-tool.ts";

const python = "/usr/bin/python3";
const missing = await installTool([python, "-c", "import gitlab"], "python3-gitlab");
const world = await startWorld();

describe.skipIf(missing !== undefined)("python-gitlab, unmodified", () => {
  test("commits, compares, picks and comments", async () => {
    const script = join(import.meta.dir, "python-gitlab-commits.py");
    const sorry =
      "Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, " +
      "or a more recent commit may have updated some of its content.";
    expect(await runClientScript([python, script], { HOST: world.origin, TOKEN: rootToken })).toEqual({
      listed: true,
      diff: [
        ["a", "a"],
        ["b", "moved/b"],
        ["c", "c"],
        ["d", "d"],
        ["new/e", "new/e"],
      ],
      refs: ["dev", "main"],
      signature: { name: "GitlabGetError", status: 404, body: { message: "404 Signature Not Found" } },
      compared: [true, ["a"]],
      base: true,
      contributors: [2],
      blob: true,
      archive: ["a", "d", "moved/b", "new/e"],
      blame: [2, 1, 12, 1, 4],
      comment: ["a", 3, "new"],
      comments: ["x"],
      discussions: [["x"], ["Why?", "Because"]],
      statuses: [true, 1],
      picked: "Change 15",
      picked_again: { name: "GitlabCherryPickError", status: 400, body: { message: sorry, error_code: "empty" } },
      reverted: 'Revert "Change 15"',
    });
  }, 120_000);
});
