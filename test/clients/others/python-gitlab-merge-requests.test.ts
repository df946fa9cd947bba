import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";

const python = "/usr/bin/python3";
const missing = await installTool([python, "-c", "import gitlab"], "python3-gitlab");

const rootToken = "a-token-for-tests-0123456789";

describe.skipIf(missing !== undefined)("python-gitlab, unmodified", () => {
  let outpost: OutpostProcess | undefined;
  let seen: Record<string, Json>;

  beforeAll(async () => {
    outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
    const script = join(import.meta.dir, "python-gitlab-merge-requests.py");
    seen = await runClientScript([python, script], { HOST: outpost.origin, TOKEN: rootToken });
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
  });

  test("creates, changes, lists and reads merge requests", () => {
    expect(seen.saved).toEqual(["Mend the roof", ["bug"], "1"]);
    expect([seen.listed, seen.commits, seen.changes]).toEqual([[1, 1], ["Add roof"], ["roof.txt"]]);
    expect([seen.diffs, seen.participants]).toEqual([["collected"], ["root"]]);
    expect([seen.note, seen.time, seen.approvals]).toEqual([["Nice", "rocket"], 3_600, []]);
    expect(seen.own_work).toEqual({ name: "GitlabAuthenticationError", status: 401 });
  });

  test("merges them, and is told that one is merged or deleted", () => {
    expect([seen.merged, seen.squashed]).toEqual([
      ["merged", true],
      ["merged", true],
    ]);
    expect(seen.branch).toEqual({ name: "GitlabGetError", status: 404 });
    expect(seen.again).toEqual({ name: "GitlabMRClosedError", status: 405 });
    expect([seen.closed, seen.deleted]).toEqual([["closed", 1], { name: "GitlabGetError", status: 404 }]);
  });
});
