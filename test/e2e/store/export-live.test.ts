import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("an export of a running server has what it acknowledged, and leaves no copy behind", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  const exported = join(folder.path, "exported");
  await using outpost = await startOutpost({ dataFolder, args: ["--repository-storages", "default,other"] });
  const made = await runOutpost([
    ...["user", "create", "--username", "mara", "--email", "mara@skylark.example", "--data", dataFolder],
  ]);
  expect(made.stderr).toBe("mara (id 2) created\n");
  const project = ["-F", "name=Station", "-F", "initialize_with_readme=true"];
  expect(await runOutpost(["api", "POST", "/projects", ...project, "--data", dataFolder])).toMatchObject({
    exitCode: 0,
  });
  const env = { TMPDIR: folder.path };
  const ended = await runOutpost(["export", exported, "--data", dataFolder, "--json"], { env });
  expect([ended.exitCode, ended.stderr]).toEqual([0, "the export contains no secrets\n"]);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...{ folder: exported, secrets: false, documents: expect.objectContaining({ users: 2, projects: 1 }) },
  });
  expect(await readFile(join(exported, "users.jsonl"), "utf8")).toContain('"username":"mara"');
  expect((await readdir(folder.path)).sort()).toEqual(["data", "exported"]);
  await outpost.stop();
  const stopped = join(folder.path, "stopped");
  await runOutpost(["export", stopped, "--data", dataFolder]);
  const names = async (path: string) => (await readdir(path)).sort();
  expect(await names(exported)).toEqual(await names(stopped));
});

test("an export needs a token of the server, and says so", async () => {
  await using folder = await createTempFolder();
  await using outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: "a-token-for-tests-0123456789" } });
  const target = join(folder.path, "exported");
  const { exitCode, stderr } = await runOutpost(["export", target, "--data", outpost.dataFolder]);
  expect([exitCode, stderr]).toEqual([
    1,
    `outpost: the server at ${outpost.origin} needs the token of an administrator\ntry: outpost export --token TOKEN, or OUTPOST_TOKEN=TOKEN in the environment\n`,
  ]);
  expect(await readdir(folder.path)).toEqual([]);
});
