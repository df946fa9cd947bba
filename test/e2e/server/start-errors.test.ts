import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import { makePair, placePair } from "../../support/process/certificates.ts";
import { type Ended, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { runUnder } from "../../support/process/outpost-under.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** The beginnings of the last line: a command to type. */
const command = /^try: (?:[A-Z_]+=\S* )?(?:outpost|kill|sudo|mkdir|ls|openssl) /;

/** Three lines at most, without a stack; the first names the cause, the last begins with a command that helps. */
function expectHint(ended: Ended, cause: string | RegExp, hint: string, exitCode = 1): void {
  expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
  const lines = ended.stderr.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(3);
  expect(lines[0]).toStartWith("outpost: ");
  expect(lines[0]).toMatch(cause);
  expect(lines.at(-1)).toMatch(command);
  expect(lines.at(-1)).toContain(hint);
}

test("a taken port names the process that has it", async () => {
  await using folder = await createTempFolder();
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("taken") });
  const ended = await runOutpost(["serve", "--port", String(other.port), "--data", folder.path]);
  expectHint(ended, `port ${other.port} is taken on 127.0.0.1 by `, "outpost serve --port 0");
  expect(ended.stderr).toContain(`(process ${process.pid})\n`);
});

test.each([["plain"], ["self-signed"], ["with a certificate of its own"]] as const)(
  "a port of another server is refused to a second one, %s as well",
  async (kind) => {
    await using folder = await createTempFolder();
    const flags = async (name: string) => {
      if (kind === "plain") return [];
      if (kind === "self-signed") return ["--tls-self-signed"];
      return placePair(join(folder.path, name), await makePair(name));
    };
    await using first = await startOutpost({ args: await flags("first") });
    const { port } = new URL(first.origin);
    const data = join(folder.path, "data");
    for (const each of [await flags("second"), []]) {
      const ended = await runOutpost(["serve", "--port", port, "--data", data, ...each]);
      expectHint(
        ended,
        `port ${port} is taken on 127.0.0.1 by outpost (process ${first.pid})`,
        "outpost serve --port 0",
      );
    }
  },
);

const noSetpriv = await installTool(["setpriv", "--version"], "util-linux");

test.skipIf(noSetpriv !== undefined || process.getuid?.() !== 0)("a privileged port is reported as such", async () => {
  await using folder = await createTempFolder();
  const without = ["setpriv", "--bounding-set=-net_bind_service"];
  const ended = await runUnder(without, ["serve", "--port", "81", "--data", folder.path]);
  expectHint(ended, "permission denied for port 81", "outpost serve --port 8080");
});

test("an address of another machine", async () => {
  await using folder = await createTempFolder();
  const ended = await runOutpost(["serve", "--host", "192.0.2.1", "--port", "0", "--data", folder.path]);
  expectHint(ended, "cannot listen on 192.0.2.1:0: ", "outpost serve --host 127.0.0.1");
});

test("a folder that a server holds names it, and the command to end it", async () => {
  await using holder = await startOutpost();
  const ended = await runOutpost(["serve", "--port", "0", "--data", holder.dataFolder]);
  expectHint(
    ended,
    `is locked by process ${holder.pid} on ${hostname()}, which serves ${holder.origin}`,
    `kill ${holder.pid}, which ends that server`,
  );
});

test.each([["seed"], ["demo"], ["restore FILE"]])(
  "%s of a folder that a server holds gets a hint for another folder",
  async (asked) => {
    await using holder = await startOutpost();
    const ended = await runOutpost([...asked.split(" "), "--data", holder.dataFolder]);
    expectHint(ended, `is locked by process ${holder.pid}`, `; or outpost ${asked} --data DIR, with another folder`);
  },
);

test("a store of a newer version names that version and this one", async () => {
  await using folder = await createTempFolder();
  const first = await startOutpost({ dataFolder: folder.path });
  await first.stop();
  const path = join(folder.path, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as { written_by: string };
  expect(manifest.written_by).toBe(version);
  await writeFile(path, JSON.stringify({ ...manifest, format: 99, written_by: "7.4.0" }));
  const ended = await runOutpost(["serve", "--port", "0", "--data", folder.path]);
  expectHint(ended, `was written by 7.4.0, this is ${version}`, "outpost version");
  await writeFile(path, "no manifest");
  const damaged = await runOutpost(["serve", "--port", "0", "--data", folder.path]);
  expectHint(damaged, "manifest.json is damaged", "outpost restore FILE", 3);
});

test.each([
  [
    "a file in the place of the folder",
    ["--data", "package.json"],
    "package.json cannot be used",
    "serve --data DIR",
    1,
  ],
  [
    "a certificate that is not there",
    ["--tls-cert", "/no.pem", "--tls-key", "/no.key"],
    "--tls-cert",
    "ls -l /no.pem",
    1,
  ],
  [
    "a certificate that is none",
    ["--tls-cert", "README.md", "--tls-key", "LICENSE"],
    "no PEM certificate",
    "openssl x509",
    1,
  ],
  ["a socket file that is a file", ["--socket", "README.md"], "not a socket", "outpost serve --socket PATH", 1],
  ["definitions of features that are not there", ["--feature-definitions", "/no"], "no folder", "mkdir -p /no", 1],
  ["an archive that is not there", ["--restore", "/no.tar.gz"], "/no.tar.gz", "ls -l /no.tar.gz", 1],
  [
    "a pattern that is none, by one that can be pasted",
    ["--backup-schedule", "30 3 *"],
    '--backup-schedule is "30 3 *"',
    "outpost serve --backup-schedule '30 3 * * *'",
    2,
  ],
  ["a value that does not fit", ["--edition", "free"], '"free"; expected one of community', "--edition ultimate", 2],
] as const)("%s", async (_, flags, cause, hint, exitCode) => {
  await using folder = await createTempFolder();
  const data = flags.includes("--data" as never) ? [] : ["--data", join(folder.path, "data")];
  expectHint(await runOutpost(["serve", "--port", "0", ...data, ...flags]), cause, hint, exitCode);
});
