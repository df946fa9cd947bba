import { describe, expect, test } from "bun:test";
import { chmod, chown, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUser, knownCredentials, listUsers } from "../../../support/process/fault-client.ts";
import { mountTmpfs, whyNoMounts } from "../../../support/process/mounts.ts";
import { type Ended, executable, runOutpost, startOutpost } from "../../../support/process/outpost-process.ts";
import { runUnder } from "../../../support/process/outpost-under.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../../support/process/temp-folder.ts";

const nobody = 65_534;
const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
const whyNotMounts = await whyNoMounts();
const whyNotNobody = await whyNotAsNobody();
if (whyNotNobody !== undefined) console.log(`skipped: ${whyNotNobody}`);

async function whyNotAsNobody(): Promise<string | undefined> {
  const missing = await installTool([...asNobody, "true"], "util-linux");
  if (missing !== undefined) return `no other user can be put on: ${missing}`;
  const { exitCode: mayLook } = Bun.spawnSync([...asNobody, "test", "-x", tmpdir()]);
  if (mayLook !== 0) return `another user may not look into ${tmpdir()}`;
  const { exitCode } = await runUnder(asNobody, ["version"]);
  return exitCode === 0 ? undefined : `another user may not run ${executable}`;
}

function serve(dataFolder: string): string[] {
  return ["serve", "--port", "0", "--data", dataFolder];
}

/** One sentence that names what is wrong, a hint, and nothing else. */
function expectRefusal(ended: Ended, ...named: readonly string[]): void {
  expect(ended.stdout).toBe("");
  const lines = ended.stderr.trimEnd().split("\n");
  expect(lines).toEqual([expect.stringMatching(/^outpost: \S/), expect.stringMatching(/^try: \S/)]);
  for (const text of named) expect(lines[0]).toContain(text);
  expect(ended.exitCode).toBe(1);
}

/** A folder that everybody may pass through. */
async function createOpenFolder(): Promise<TempFolder> {
  const folder = await createTempFolder();
  await chmod(folder.path, 0o755);
  return folder;
}

async function makeStore(dataFolder: string): Promise<void> {
  await using outpost = await startOutpost({ env: knownCredentials, dataFolder });
  await createUser(outpost.origin, "before");
  await outpost.stop();
}

async function giveTo(user: number, path: string): Promise<void> {
  await chown(path, user, user);
  for (const name of await readdir(path, { recursive: true })) await chown(join(path, name), user, user);
}

describe.skipIf(whyNotMounts !== undefined)("a read-only file system", () => {
  test("is refused as a place for a new store", async () => {
    await using disk = await mountTmpfs(4);
    await disk.makeReadOnly();
    expectRefusal(await runOutpost(serve(join(disk.path, "data"))), join(disk.path, "data"), "read-only");
    expectRefusal(await runOutpost(serve(disk.path)), disk.path, "read-only");
  });

  test("is refused with a store on it", async () => {
    await using disk = await mountTmpfs(16);
    const dataFolder = join(disk.path, "data");
    await makeStore(dataFolder);
    await disk.makeReadOnly();
    expectRefusal(await runOutpost(serve(dataFolder)), dataFolder, "read-only");
  });
});

describe.skipIf(whyNotNobody !== undefined)("a folder of another owner", () => {
  test("is refused, whether there is a store in it or not", async () => {
    await using folder = await createOpenFolder();
    const dataFolder = join(folder.path, "data");
    expectRefusal(await runUnder(asNobody, serve(dataFolder)), dataFolder, "permission denied");
    await makeStore(dataFolder);
    expectRefusal(await runUnder(asNobody, serve(dataFolder)), dataFolder, "permission denied");
  });

  test.each([
    ["lock"],
    ["manifest.json"],
    ["generations"],
    ["generations/0001"],
    ["generations/0001/journal"],
    ["generations/0001/journal/00000001.log"],
    ["generations/0001/documents"],
    ["generations/0001/documents/users"],
    ["generations/0001/documents/users/000000.json"],
    ["generations/0001/logs/audit-events/000000.json"],
  ])("is refused when root has left %s in it", async (name) => {
    await using folder = await createOpenFolder();
    const dataFolder = join(folder.path, "data");
    await makeStore(dataFolder);
    await giveTo(nobody, dataFolder);
    await chown(join(dataFolder, name), 0, 0);
    expectRefusal(await runUnder(asNobody, serve(dataFolder)), join(dataFolder, name), "permission denied");
    await chown(join(dataFolder, name), nobody, nobody);
    await using outpost = await startOutpost({ dataFolder });
    expect([...(await listUsers(outpost.origin)).values()]).toEqual(["before"]);
  });
});

test("a file in place of the folder, or of a parent, is refused", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data");
  await writeFile(path, "");
  expectRefusal(await runOutpost(serve(path)), path);
  expectRefusal(await runOutpost(serve(join(path, "below"))), path);
});

test("a link to a folder works like the folder, and its lock holds for both names", async () => {
  await using folder = await createTempFolder();
  const [real, link] = [join(folder.path, "real"), join(folder.path, "link")];
  await mkdir(real);
  await symlink(real, link);
  await using outpost = await startOutpost({ env: knownCredentials, dataFolder: link });
  await createUser(outpost.origin, "linked");
  expectRefusal(await runOutpost(serve(real)), `process ${outpost.pid}`);
  await outpost.stop();
  await using again = await startOutpost({ dataFolder: real });
  expect([...(await listUsers(again.origin)).values()]).toEqual(["linked"]);
});

test("a broken link is refused", async () => {
  await using folder = await createTempFolder();
  const link = join(folder.path, "link");
  await symlink(join(folder.path, "gone"), link);
  expectRefusal(await runOutpost(serve(link)), link);
});
