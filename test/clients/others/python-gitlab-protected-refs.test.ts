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
    const script = join(import.meta.dir, "python-gitlab-protected-refs.py");
    seen = await runClientScript([python, script], { HOST: outpost.origin, TOKEN: rootToken });
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
  });

  test.each([
    ["created", ["*-stable", [30], [40]]],
    ["shown", "*-stable"],
    ["listed", ["*-stable", "main"]],
    ["searched", ["*-stable"]],
    ["saved", true],
    ["left", ["main"]],
    ["user", ["Administrator"]],
  ])("%s: protects branches", (name, expected) => {
    expect(seen[name]).toEqual(expected);
  });

  test.each([
    ["tag_rule", ["v*", [40]]],
    ["tag_rules", ["v*"]],
    ["tag_later", "v1"],
  ])("%s: protects tags", (name, expected) => {
    expect(seen[name]).toEqual(expected);
  });

  test.each([
    ["taken", "GitlabCreateError", 409, "Protected branch '*-stable' already exists"],
    ["tag_taken", "GitlabCreateError", 422, ["Name has already been taken"]],
    ["file", "GitlabCreateError", 400, "You are not allowed to push into this branch"],
    ["tag", "GitlabCreateError", 400, "You are not allowed to create this tag as it is protected."],
  ])("%s is raised as %s %i", (name, error, status, message) => {
    expect(seen[name]).toEqual({ name: error, status, message });
  });

  test("runs no pipeline on a branch that the caller may not push to", () => {
    expect(seen.run).toMatchObject({ name: "GitlabCreateError", status: 400 });
    expect(JSON.stringify(seen.run.message)).toContain("You do not have sufficient permission");
  });

  test("deletes merged branches, and reads the changed lines of a commit", () => {
    expect(seen.tidied).toEqual({ accepted: "None" });
    expect(seen.stats).toEqual({ additions: 1, deletions: 0, total: 1 });
  });
});
