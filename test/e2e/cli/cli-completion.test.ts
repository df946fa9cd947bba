import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const noBash = await installTool(["bash", "--version"], "bash");
const noZsh = await installTool(["zsh", "--version"], "zsh");
const noFish = await installTool(["fish", "--version"], "fish");

/** Has the executable on its `PATH`, a store with two users in `data`, and a file. */
let folder: TempFolder;

beforeAll(async () => {
  folder = await createTempFolder();
  const data = join(folder.path, "data");
  await using outpost = await startOutpost({ dataFolder: data });
  await outpost.stop();
  await runOutpost(["user", "create", "--data", data, "--username", "rosa", "--email", "rosa@skylark.example"]);
  await mkdir(join(folder.path, "bin"));
  await symlink(executable, join(folder.path, "bin/outpost"));
  await writeFile(join(folder.path, "dump.json"), "");
});

afterAll(() => folder.remove());

/** Runs a shell's script in the folder. */
async function run(command: readonly string[]): Promise<string[]> {
  const env = {
    HOME: folder.path,
    PATH: `${join(folder.path, "bin")}:${process.env.PATH}`,
    TERM: "dumb",
    LC_ALL: "C.UTF-8",
  };
  const child = Bun.spawn([...command], { cwd: folder.path, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [text, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(errors).toBe("");
  return text.split("\n").filter((line) => line !== "");
}

/** The completions of a shell behind the words; the last word is typed in part. */
interface ShellUnderTest {
  readonly name: string;
  readonly missing: string | undefined;
  offers(words: readonly string[]): Promise<string[]>;
}

const bash: ShellUnderTest = {
  name: "bash",
  missing: noBash,
  offers: (words) =>
    run([
      ...["bash", "--norc", "-c"],
      `source <(outpost completion bash); COMP_WORDS=(outpost "$@"); COMP_CWORD=$#; _outpost outpost
      printf "%s\\n" "\${COMPREPLY[@]}"`,
      ...["bash", ...words],
    ]),
};

/** Its completion wants a line editor; the function that would show what was found is replaced by one that prints it. */
const zsh: ShellUnderTest = {
  name: "zsh",
  missing: noZsh,
  offers: (words) =>
    run([
      ...["zsh", "-f", "-c"],
      [
        "compdef() { }",
        "_files() { if [[ $1 == -/ ]]; then print -l *(/); else print -l *; fi }",
        `_describe() { print -rl -- \${(P)4} }`,
        "source <(outpost completion zsh)",
        'words=(outpost "$@")',
        "CURRENT=$#words",
        "_outpost",
      ].join("\n"),
      ...["zsh", ...words],
    ]),
};

const fish: ShellUnderTest = {
  name: "fish",
  missing: noFish,
  offers: (words) =>
    run([
      "fish",
      "--no-config",
      "-c",
      'outpost completion fish | source; complete --do-complete "$argv"',
      "outpost",
      ...words,
    ]),
};

/** Without what words mean. */
function wordsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.split(/\t|:/)[0] ?? "");
}

describe.each([[bash], [zsh], [fish]])("in $name", (shell) => {
  const inShell = test.skipIf(shell.missing !== undefined);

  inShell.each([
    ["commands", ["se"], ["seed", "selftest", "serve"]],
    ["commands below others", ["user", "c"], ["create"]],
    ["what help is about", ["help", "comp"], ["completion"]],
    ["topics of the manual", ["help", "quo"], ["quotas-and-limits"]],
    ["flags", ["serve", "--ed"], ["--edition"]],
    ["flags of the program itself", ["user", "show", "--h"], ["--help"]],
    ["editions", ["serve", "--port", "80", "--edition", "p"], ["premium"]],
    ["log levels", ["demo", "--log-level", "w"], ["warn"]],
    ["choices of an argument", ["completion", "f"], ["fish"]],
    ["the last of several scopes", ["token", "create", "--scopes", "api,read_u"], ["api,read_user"]],
    ["names of users", ["user", "show", "r"], ["root", "rosa"]],
    ["names of users of another folder", ["user", "show", "--data", "none", "r"], []],
    ["names of users of a folder on the line", ["user", "show", "--data", "./bin/../data", "ros"], ["rosa"]],
    ["names of users for a flag", ["token", "create", "--user", "ros"], ["rosa"]],
    ["folders", ["check", "--data", "da"], ["data"]],
    ["nothing where nobody knows", ["serve", "--host", "x"], []],
  ])("completes %s", async (_, words, offered) => {
    const found = wordsOf(await shell.offers(words)).map((word) => word.replace(/\/$/, ""));
    const fitting = found.filter((word) => word.startsWith(words.at(-1) ?? ""));
    expect(fitting.toSorted()).toEqual(offered);
  });

  inShell("offers every command behind nothing, and files where a file is meant", async () => {
    expect(wordsOf(await shell.offers([""]))).toContain("install-service");
    const files = await shell.offers(["openapi", "--out", "d"]);
    expect(files.map((word) => word.replace(/\/$/, ""))).toEqual(expect.arrayContaining(["data", "dump.json"]));
  });
});

test.skipIf(noBash !== undefined)("bash gives the value alone where it split --flag=value itself", async () => {
  expect(await bash.offers(["serve", "--edition", "=", "pre"])).toEqual(["premium"]);
  expect((await bash.offers(["serve", "--edition", "="])).toSorted()).toEqual(["community", "premium", "ultimate"]);
});

test("zsh and fish get the whole word, with its description", async () => {
  expect(await runOutpost(["complete-words", "zsh", "serve", "--edition=p"])).toMatchObject({
    exitCode: 0,
    stdout: "words\n--edition=premium\n",
  });
  expect((await runOutpost(["complete-words", "fish", "conf"])).stdout).toBe(
    "words\nconfig\tprint each setting and where its value comes from\n",
  );
});

test("an unsupported shell is refused, with the list of supported ones", async () => {
  expect(await runOutpost(["completion", "csh"])).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("expected one of bash, zsh, fish"),
  });
});
