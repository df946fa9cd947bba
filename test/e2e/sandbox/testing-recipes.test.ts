import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { executable } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const root = join(import.meta.dir, "../../..");
const manual = await readFile(join(root, "src/cli/manual/sandbox/testing.md"), "utf8");
const python = "/usr/bin/python3";
const missing: Readonly<Record<string, string | undefined>> = {
  curl: await installTool(["curl", "--version"], "curl"),
  pytest:
    (await installTool([python, "-c", "import gitlab"], "python3-gitlab")) ??
    (await installTool([python, "-m", "pytest", "--version"], "python3-pytest")),
  // A Java of its own would be large: only where there is one.
  junit:
    Bun.which("javac") === null
      ? "there is no javac"
      : await installTool(["test", "-e", "/usr/share/java/junit-platform-console.jar"], "junit5"),
};

/** The files of a chapter by their names, which the first comment of each has. */
function filesOf(chapter: string): Map<string, string> {
  const [, text = ""] = manual.split(`\n## ${chapter}\n`);
  const [own = ""] = text.split("\n## ");
  const blocks = [...own.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  return new Map(blocks.map((block) => [/^(?:#|\/\/) (\S+\.\w+)$/m.exec(block)?.[1] ?? "", block]));
}

async function runRecipe(files: ReadonlyMap<string, string>, command: readonly string[]) {
  await using folder = await createTempFolder();
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, name), text);
  }
  await mkdir(join(folder.path, "bin"));
  await symlink(executable, join(folder.path, "bin/outpost"));
  await symlink(join(root, "node_modules"), join(folder.path, "node_modules"));
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    env: {
      PATH: `${join(folder.path, "bin")}:${process.env.PATH}`,
      HOME: folder.path,
      NO_COLOR: "1",
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, text: stdout + stderr };
}

const ofNode = filesOf("node:test");
const shared = new Map([["outpost.mjs", ofNode.get("outpost.mjs") ?? ""]]);

describe("the recipe for", () => {
  test.skipIf(missing.curl !== undefined)("a shell script works as it is written", async () => {
    const { exitCode, text } = await runRecipe(filesOf("A shell script"), ["bash", "test.sh"]);
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/passed\n$/)]);
  });

  test("node:test works as it is written", async () => {
    const { exitCode, text } = await runRecipe(ofNode, ["node", "--test"]);
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/^# pass 2$/m)]);
  });

  test("vitest works as it is written", async () => {
    const files = new Map([...shared, ...filesOf("vitest")]);
    const { exitCode, text } = await runRecipe(files, ["node", "node_modules/vitest/vitest.mjs", "run"]);
    expect([exitCode, text]).toEqual([0, expect.stringMatching(/Tests +2 passed/)]);
  });

  test.skipIf(missing.pytest !== undefined)("pytest works as it is written", async () => {
    const { exitCode, text } = await runRecipe(filesOf("pytest"), [python, "-m", "pytest", "-p", "no:cacheprovider"]);
    expect([exitCode, text]).toEqual([0, expect.stringContaining("2 passed")]);
  });

  test.skipIf(missing.junit !== undefined)(
    "JUnit works as it is written",
    async () => {
      const launch = "org.junit.platform.console.ConsoleLauncher --disable-banner --scan-classpath out";
      const script = `javac -cp '/usr/share/java/*' -d out *.java && java -cp 'out:/usr/share/java/*' ${launch}`;
      const { exitCode, text } = await runRecipe(filesOf("JUnit"), ["sh", "-c", script]);
      expect([exitCode, text]).toEqual([0, expect.stringContaining("2 tests successful")]);
    },
    60_000,
  );

  test("each language has its files", () => {
    for (const chapter of ["Jest", "Go", "JUnit", "A pipeline"]) {
      const files = filesOf(chapter);
      expect([chapter, files.size, files.has("")]).toEqual([chapter, expect.any(Number), false]);
      expect(files.size).toBeGreaterThan(0);
    }
  });
});
