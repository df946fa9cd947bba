import { expect, test } from "bun:test";
import { join } from "node:path";
import { knownCredentials, rootToken } from "../../support/process/fault-client.ts";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test.each([
  ["at a port that it picked", () => []],
  ["at all addresses", () => ["--host", "0.0.0.0"]],
  ["by a certificate of its own making", () => ["--tls-self-signed"]],
  ["at a socket file", (folder: string) => ["--socket", join(folder, "outpost.sock")]],
])("commands find the server of a folder %s by themselves", async (_, argsIn) => {
  await using folder = await createTempFolder();
  await using outpost = await startOutpost({ env: knownCredentials, args: argsIn(folder.path) });
  const data = ["--data", outpost.dataFolder];
  const env = { OUTPOST_ROOT_TOKEN: rootToken };
  const called = await runOutpost(["api", "GET", "/user", ...data], { env });
  expect([called.exitCode, called.stderr]).toEqual([0, "200 OK\n"]);
  const archive = join(folder.path, "backup.tar.gz");
  const backedUp = await runOutpost(["backup", "-o", archive, ...data], { env });
  expect([backedUp.exitCode, backedUp.stdout]).toEqual([0, `${archive}\n`]);
  const shown: unknown = JSON.parse((await runOutpost(["user", "show", "1", "--json", ...data], { env })).stdout);
  expect(shown).toMatchObject({ id: 1, username: "root" });
  await outpost.stop();
  const silent = await runOutpost(["api", "GET", "/user", ...data], { env: { ...env, OUTPOST_PORT: "1" } });
  expect(silent.stderr).toStartWith("outpost: no answer from http://127.0.0.1:1: ");
});

test("a named server is called, whatever the folder says", async () => {
  await using held = await startOutpost({ env: knownCredentials });
  await using other = await startOutpost({ env: { ...knownCredentials, OUTPOST_ROOT_TOKEN: `${rootToken}-other` } });
  for (const env of [{ OUTPOST_URL: other.origin }, { OUTPOST_PORT: new URL(other.origin).port }]) {
    const asked = ["api", "GET", "/user", "--data", held.dataFolder, "--token", `${rootToken}-other`];
    expect(await runOutpost(asked, { env })).toMatchObject({ exitCode: 0, stderr: "200 OK\n" });
  }
});
