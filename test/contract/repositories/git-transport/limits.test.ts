import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rootToken, startWorld, type World } from "../../../support/fixtures/world.ts";
import { runGit } from "../../../support/git/stock-git.ts";
import { mountTmpfs, whyNoMounts } from "../../../support/process/mounts.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
const noMounts = await whyNoMounts();
afterAll(() => folder.remove());

const mebibyte = 1 << 20;
let copies = 0;

/** Commits a file of random bytes for each size. The git of a test must not wait in this thread, which serves it. */
function workTree(...sizes: readonly number[]): string {
  copies += 1;
  const target = join(folder.path, `work${copies}`);
  runGit(folder.path, ["init", "-q", "-b", "main", target]);
  for (const [at, size] of sizes.entries()) {
    const bytes = Buffer.concat(
      Array.from({ length: Math.ceil(size / 65_536) }, () => crypto.getRandomValues(new Uint8Array(65_536))),
    );
    const oid = runGit(target, ["hash-object", "-w", "--stdin"], bytes.subarray(0, size)).trim();
    runGit(target, ["update-index", "--add", "--cacheinfo", `100644,${oid},f${at}`]);
  }
  runGit(target, ["commit", "-q", "-m", "files"]);
  return target;
}

/** What a push prints. */
async function push(world: World, target: string, path: string): Promise<string> {
  const address = `${world.origin.replace("://", `://x:${rootToken}@`)}/${path}.git`;
  const env = { ...process.env, HOME: "/nonexistent", GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", "-C", target, "push", "-q", address, "main"], { env, stderr: "pipe" });
  const [said] = await Promise.all([child.stderr.text(), child.exited]);
  return said;
}

describe.skipIf(missing !== undefined)("a push above the limit of", () => {
  test("its bytes is refused, however much more comes", async () => {
    const world = await startWorld();
    const { path_with_namespace } = await makeProject(world);
    await world.call("PUT", "/application/settings", { token: rootToken, json: { receive_max_input_size: 1 } });
    const target = workTree(20 * mebibyte);
    expect(await push(world, target, path_with_namespace)).toContain("pack exceeds maximum allowed size");
    await world.call("PUT", "/application/settings", { token: rootToken, json: { receive_max_input_size: null } });
    expect(await push(world, target, path_with_namespace)).toBe("");
  });

  test("its objects, or the bytes of one, is refused", async () => {
    const world = await startWorld({ gitMaxObjects: 5, gitMaxObjectMb: 1 });
    const { path_with_namespace } = await makeProject(world);
    expect(await push(world, workTree(10, 20, 30, 40), path_with_namespace)).toContain("pack has 6 objects");
    const large = await push(world, workTree(mebibyte + 1), path_with_namespace);
    expect(large).toContain(`object of ${mebibyte + 1} bytes exceeds maximum allowed size`);
    expect(await push(world, workTree(mebibyte), path_with_namespace)).toBe("");
  });

  test.skipIf(noMounts !== undefined)("the disk is refused before it is sent", async () => {
    await using mount = await mountTmpfs(64);
    const world = await startWorld({ repositoryStorages: [{ name: "default", folder: mount.path }] });
    const { path_with_namespace } = await makeProject(world);
    const said = await push(world, workTree(10), path_with_namespace);
    expect(said).toContain("remote: The disk of this repository is nearly full.");
    expect(said).toContain("error: 503");
  });
});
