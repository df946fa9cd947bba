import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { version } from "../../../package.json";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "token-for-the-command-line";

/** Two lines on stderr, nothing on stdout, and the exit code of wrong use. */
async function refusal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runOutpost(args, { env });
  expect(stdout).toBe("");
  expect(exitCode).toBe(2);
  return stderr.trimEnd().split("\n");
}

describe("help", () => {
  test.each([["--help"], ["-h"]])("%s is the same screen", async (word) => {
    expect((await runOutpost([word])).stdout).toBe((await runOutpost([])).stdout);
  });

  test("by itself is a line for each command", async () => {
    const { exitCode, stdout } = await runOutpost(["help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Serving:\n {2}serve +answer requests/);
    expect(stdout).toMatch(/^ {2}help +list commands and topics/m);
  });

  test("about a command with arguments shows them and runs nothing", async () => {
    const { exitCode, stdout } = await runOutpost(["help", "api", "DELETE", "/users/1"]);
    expect([exitCode, stdout]).toEqual([0, (await runOutpost(["api", "--help"])).stdout]);
  });

  test("about a command below another is the same as --help there", async () => {
    const { exitCode, stdout } = await runOutpost(["help", "token", "create"]);
    expect([exitCode, stdout]).toEqual([0, (await runOutpost(["token", "create", "--help"])).stdout]);
    expect((await runOutpost(["help", "token", "creat"])).stderr).toBe(
      "outpost: unknown command 'creat' (Did you mean create?)\ntry: outpost help token\n",
    );
  });
});

describe("version", () => {
  test.each([["version"], ["--version"], ["-V"]])("%s is one line on stdout", async (word) => {
    const { exitCode, stdout, stderr } = await runOutpost([word]);
    expect([exitCode, stdout, stderr]).toEqual([0, `outpost ${version} (API 17.11.0)\n`, ""]);
  });
});

test("version --json is one object", async () => {
  const { exitCode, stdout } = await runOutpost(["version", "--json"]);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { version, api_version: "17.11.0" }]);
});

describe("wrong use", () => {
  test("an unknown command suggests the nearest one", async () => {
    expect(await refusal(["sevre"])).toEqual([
      "outpost: unknown command 'sevre' (Did you mean serve?)",
      "try: outpost help",
    ]);
  });

  test("help about an unknown command is refused too", async () => {
    expect(await refusal(["help", "dmo"])).toEqual([
      "outpost: unknown command 'dmo' (Did you mean demo?)",
      "try: outpost help",
    ]);
  });

  test("an unknown flag suggests the nearest one", async () => {
    expect(await refusal(["serve", "--prot", "0"])).toEqual([
      "outpost: unknown option '--prot' (Did you mean --port?)",
      "try: outpost help serve",
    ]);
  });

  test("a flag without its value is refused", async () => {
    expect(await refusal(["serve", "--port"])).toEqual([
      "outpost: option '-p, --port <number>' argument missing",
      "try: outpost help serve",
    ]);
  });

  test("an extra word is refused", async () => {
    expect(await refusal(["serve", "now"])).toHaveLength(2);
  });

  test.each([
    ["api /users", "missing required argument 'path'", "outpost api GET /user"],
    [
      "token create --user mara",
      "required option '--scopes <list>' not specified",
      "outpost token create --user root --scopes api",
    ],
    [
      "audit-events export --format xml",
      '--format is "xml"; expected one of jsonl, csv',
      "outpost audit-events export --help",
    ],
    ["completion tcsh", '<shell> is "tcsh"; expected one of bash, zsh, fish', "outpost help completion"],
  ])("%s says what is expected", async (line, message, hint) => {
    expect(await refusal(line.split(" "))).toEqual([`outpost: ${message}`, `try: ${hint}`]);
  });

  test("an unknown variable names the nearest one", async () => {
    expect(await refusal(["serve"], { OUTPOST_PROT: "0" })).toEqual([
      "outpost: OUTPOST_PROT is not a setting; the nearest is OUTPOST_PORT",
      "try: outpost help serve",
    ]);
  });

  test("an invalid value names its flag, the value and the expected form", async () => {
    expect(await refusal(["serve", "--port", "http"])).toEqual([
      'outpost: --port is "http"; expected a number from 0 to 65535',
      "try: outpost serve --port 8080",
    ]);
  });

  test("an invalid value names its variable", async () => {
    expect(await refusal(["demo"], { OUTPOST_EXTERNAL_URL: "outpost.example" })).toEqual([
      'outpost: OUTPOST_EXTERNAL_URL is "outpost.example"; expected an http or https URL without a query',
      "try: OUTPOST_EXTERNAL_URL=https://outpost.example outpost demo",
    ]);
  });
});

async function inShell(line: string, cwd?: string) {
  const child = Bun.spawn(["bash", "-c", line, executable], { stdout: "pipe", stderr: "pipe", ...(cwd && { cwd }) });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

describe("stdout into a file", () => {
  const longText = "help settings";

  test("keeps what the file has", async () => {
    await using folder = await createTempFolder();
    const { stdout } = await inShell(`"$0" version && "$0" ${longText} && "$0" version`);
    const appended = `for each in version "${longText}" version; do "$0" $each >> appended; done`;
    const shared = `{ "$0" version; "$0" ${longText}; "$0" version; } > shared`;
    expect(await inShell(`${appended}; ${shared}`, folder.path)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(await Bun.file(join(folder.path, "appended")).text()).toBe(stdout);
    expect(await Bun.file(join(folder.path, "shared")).text()).toBe(stdout);
  });

  test("has every page of a list", async () => {
    await using folder = await createTempFolder();
    await using outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken } });
    const call = `"$0" api GET /users --paginate --url ${outpost.origin} --token ${rootToken}`;
    const { stdout } = await inShell(call);
    expect(JSON.parse(stdout)).toHaveLength(1);
    await inShell(`${call} > users.json`, folder.path);
    expect(await Bun.file(join(folder.path, "users.json")).text()).toBe(stdout);
  });
});

describe("without disk space", () => {
  test.each([["help"], ["help proxy"], ["version"], ["config"], ["dashboard"]])(
    "%s says so in a sentence",
    async (command) => {
      const { exitCode, stderr } = await inShell(`"$0" ${command} > /dev/full`);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^outpost: stdout cannot be written: ENOSPC: .*\ntry: outpost [a-z]+ > FILE, on another disk\n$/,
      );
    },
  );

  test("for messages, the exit code is the same, and so is the data", async () => {
    expect(await inShell('"$0" nope 2> /dev/full')).toMatchObject({ exitCode: 2 });
    expect(await inShell('"$0" version 2>&-')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^outpost /),
    });
  });

  test("a reader that stops early ends a command silently", async () => {
    expect(await inShell('set -o pipefail; "$0" openapi | head -n 1')).toEqual({
      ...{ exitCode: 0, stdout: "{\n", stderr: "" },
    });
  });
});
