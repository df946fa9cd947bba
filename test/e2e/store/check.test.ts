import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rewriteSegment } from "../../support/disk/rewritten-segment.ts";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

test("a store in use is checked in a backup, which names what is left out; it is not repaired", async () => {
  await using outpost = await startOutpost({ env });
  const folder = ["--data", outpost.dataFolder];
  const { exitCode, stdout, stderr } = await runOutpost(["check", ...folder, "--token", rootToken]);
  expect([exitCode, stdout, stderr]).toEqual([
    ...[0, `a backup of the server at ${outpost.origin} is sound\n`],
    "not checked: the repositories, the manifest and earlier generations in the data folder\n",
  ]);
  const repair = await runOutpost(["check", ...folder, "--token", rootToken, "--repair"]);
  expect([repair.exitCode, repair.stderr]).toEqual([1, expect.stringContaining(`process ${outpost.pid}`)]);
  const unknown = await runOutpost(["check", ...folder]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    expect.stringContaining("\ntry: outpost check --token TOKEN,"),
  ]);
});

test("damage below a running server is found, and the temporary copy is removed", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  const first = await startOutpost({ env, dataFolder });
  await first.stop();
  await using _outpost = await startOutpost({ env, dataFolder });
  const path = join(dataFolder, "generations/0001/documents/users/000000.json");
  const bytes = await readFile(path);
  bytes[bytes.indexOf("Administrator")] = "a".charCodeAt(0);
  await writeFile(path, bytes);
  const args = ["check", "--data", dataFolder, "--token", rootToken, "--json"];
  const { exitCode, stdout } = await runOutpost(args, { env: { TMPDIR: folder.path } });
  expect(JSON.parse(stdout)).toMatchObject({
    sound: false,
    findings: [
      {
        problem: "the store is damaged: documents/users/000000.json at byte 0: its checksum does not match its content",
        hint: "stop the server, then run outpost check --repair",
      },
    ],
    not_checked: [expect.any(String), expect.any(String)],
  });
  expect([exitCode, await readdir(folder.path)]).toEqual([3, ["data"]]);
});

test("an intact store is reported as such; a damaged one is named, unchanged, and repaired on request", async () => {
  await using folder = await createTempFolder();
  const first = await startOutpost({ env, dataFolder: folder.path });
  await first.stop();
  expect(await runOutpost(["check", "--data", folder.path])).toMatchObject({
    exitCode: 0,
    stdout: `${folder.path} is sound\n`,
  });

  const path = join(folder.path, "generations/0001/documents/users/000000.json");
  const bytes = await readFile(path);
  bytes[bytes.indexOf("Administrator")] = "a".charCodeAt(0);
  await writeFile(path, bytes);
  const found = await runOutpost(["check", "--data", folder.path]);
  expect(found.exitCode).toBe(3);
  expect(found.stdout).toContain(`${path} at byte 0: its checksum does not match its content`);
  expect(found.stdout).toContain("--repair would: ");
  expect(await readFile(path)).toEqual(bytes);
  const start = await runOutpost(["serve", "--port", "0", "--data", folder.path]);
  expect(start.exitCode).toBe(3);
  expect(start.stderr).toContain(path);
  expect(start.stderr).toContain("outpost check");

  const repaired = await runOutpost(["check", "--data", folder.path, "--repair", "--json"]);
  expect(repaired.exitCode).toBe(0);
  const { findings } = JSON.parse(repaired.stdout) as { findings: { repaired: string }[] };
  expect(findings.map((finding) => finding.repaired)).toEqual([
    expect.stringContaining("kept 1 documents, left out 0"),
  ]);
  await using again = await startOutpost({ dataFolder: folder.path });
  const answer = await fetch(`${again.origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": rootToken } });
  expect(await answer.json()).toMatchObject({ id: 1, username: "root" });
});

test("a folder without a store is an error with a hint", async () => {
  await using folder = await createTempFolder();
  const { exitCode, stderr } = await runOutpost(["check", "--data", folder.path]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`outpost: ${folder.path} holds no store\ntry: outpost check --data DIR\n`);
});

test("a server ends when a document does not fit an index, and the check names the document", async () => {
  await using folder = await createTempFolder();
  const first = await startOutpost({ env, dataFolder: folder.path });
  await first.stop();
  const path = join(folder.path, "generations/0001/documents/users/000000.json");
  await rewriteSegment(path, '"name":"Administrator"', '"name":null');
  const served = await runOutpost(["serve", "--port", "0", "--data", folder.path]);
  expect(served.exitCode).toBe(3);
  expect(served.stderr).toContain("an index of users cannot be built");
  expect(served.stderr).toContain("outpost check names the document");
  expect(await runOutpost(["check", "--data", folder.path])).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining(`document 1 in ${path} does not fit this version: name is null; expected text`),
  });
});
