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
    const script = join(import.meta.dir, "python-gitlab-variables.py");
    seen = await runClientScript([python, script], { HOST: outpost.origin, TOKEN: rootToken });
  }, 180_000);

  afterAll(async () => {
    await outpost?.[Symbol.asyncDispose]();
  });

  test.each(["project", "group", "instance"])("sets, lists and deletes variables of the %s", (name) => {
    expect(seen[name]).toEqual(["w", ["K"]]);
    expect(seen[`${name}_gone`]).toEqual({ name: "GitlabGetError", status: 404 });
  });

  test("hides a value, and tells variables of one key apart by their scopes", () => {
    expect(seen.hidden).toEqual([null, "d"]);
    expect(seen.ambiguous).toEqual({ name: "GitlabGetError", status: 409 });
    expect([seen.scoped, seen.left]).toEqual(["2", "b"]);
  });
});
