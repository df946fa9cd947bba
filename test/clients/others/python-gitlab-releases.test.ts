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
    const script = join(import.meta.dir, "python-gitlab-releases.py");
    seen = await runClientScript([python, script], { HOST: outpost.origin, TOKEN: rootToken });
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
  });

  test.each([
    ["made", ["v1/0", "One", "Spring", 5]],
    ["taken", { name: "GitlabCreateError", status: 409, message: "Release already exists" }],
    ["listed", ["v1/0", "v2"]],
    ["tag", "The very first"],
    ["link", ["mac", "/tools/Ledger/-/releases/v1%2F0/downloads/bin/mac"]],
    ["links", ["macOS", "linux"]],
    ["shown", "macOS"],
    ["left", ["linux"]],
    ["of_group", ["v1/0", "v2"]],
    ["uploaded", ["notes.md", 7]],
    ["gone", { name: "GitlabGetError", status: 404, message: "404 Not Found" }],
    ["kept", null],
  ])("%s: publishes releases", (name, expected) => {
    expect(seen[name]).toEqual(expected);
  });
});
