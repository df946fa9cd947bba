import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const env = { OUTPOST_ROOT_PASSWORD: "correct horse battery" };

test("a pipe in place of a file of the store ends the server and the check with its name", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  await using outpost = await startOutpost({ env, dataFolder });
  await outpost.stop();
  const files = ["manifest.json", ...new Glob("generations/*/journal/*1.log").scanSync(dataFolder)];
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const file of files) {
    const path = join(dataFolder, file);
    const kept = await Bun.file(path).bytes();
    await rm(path);
    await Bun.$`mkfifo ${path}`;
    for (const command of ["check", "serve"]) {
      const port = command === "serve" ? ["--port", "0"] : [];
      const { exitCode, stderr } = await runOutpost([command, "--data", dataFolder, ...port], { env });
      expect([command, exitCode, stderr]).toEqual([
        command,
        1,
        expect.stringContaining(`${path} is not a regular file`),
      ]);
    }
    await rm(path);
    await Bun.write(path, kept);
  }
});
