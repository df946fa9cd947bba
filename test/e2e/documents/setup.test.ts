import { expect, test } from "bun:test";
import { chmod, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scripts, trustedDependencies } from "../../../package.json";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const root = join(import.meta.dir, "../../..");

test("no dependency may run a script when it is installed", () => {
  // Without the list, the package manager trusts some hundred packages of its own choice.
  expect(trustedDependencies).toEqual([]);
});

test("the set-up runs no script of a dependency, and writes only the dependencies", async () => {
  await using folder = await createTempFolder();
  const [project, home, temporary, bin] = ["project", "home", "temporary", "bin"].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string];
  for (const path of [project, home, temporary, bin]) await mkdir(path);
  for (const name of ["package.json", "bun.lock"]) await cp(join(root, name), join(project, name));
  // Scripts of packages are run by it; this one only leaves a trace.
  const trace = join(folder.path, "scripts-that-ran");
  await writeFile(join(bin, "node"), `#!/bin/sh\necho "$@" >> ${trace}\n`);
  await chmod(join(bin, "node"), 0o755);
  const cache = (await Bun.$`${process.execPath} pm cache`.cwd(root).text()).trim();
  const [program, ...words] = scripts.setup.split(" ");
  expect(program).toBe("bun");
  const child = Bun.spawn([process.execPath, ...words, "--prefer-offline", `--cache-dir=${cache}`], {
    cwd: project,
    env: { ...process.env, HOME: home, TMPDIR: temporary, PATH: `${bin}:${process.env.PATH}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = `${await child.stdout.text()}${await child.stderr.text()}`;
  expect([await child.exited, said]).toEqual([0, expect.stringContaining("packages installed")]);
  expect(await readdir(folder.path)).not.toContain("scripts-that-ran");
  expect([await readdir(home), await readdir(temporary)]).toEqual([[], []]);
});
