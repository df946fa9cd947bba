import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allHelpTexts } from "../../support/checks/help-texts.ts";
import type { Json } from "../../support/checks/json.ts";
import { contractExample } from "../../support/fixtures/fixtures.ts";
import { executable, type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const secrets = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };

/** Tools that an example may need beside the executable. */
const missing: Readonly<Record<string, string | undefined>> = {
  jq: await installTool(["jq", "--version"], "jq"),
  zsh: await installTool(["zsh", "--version"], "zsh"),
  fish: await installTool(["fish", "--version"], "fish"),
  openssl: await installTool(["openssl", "version"], "openssl"),
  curl: await installTool(["curl", "--version"], "curl"),
};

/** Programs that would need a network or the machine itself; what they are called with is not ours to test. */
const standIns = ["podman", "systemctl", "sudo", "npx"];

/** Every line that a reader could copy from the help, the manual or the README, each once. */
async function collectExamples(): Promise<string[]> {
  const helps = [(await runOutpost([])).stdout, ...(await allHelpTexts()).map(({ text }) => text)];
  const ofHelp = helps.flatMap((text) => {
    const [, block = ""] = /\nExamples:\n((?: {2}.*\n)+)/.exec(text) ?? [];
    return block.split("\n").map((line) => line.slice(2).replace(/ {2,}.*$/, ""));
  });
  const root = join(import.meta.dir, "../../..");
  const manual = [...new Bun.Glob("src/cli/manual/**/*.md").scanSync(root)].sort();
  const pages = await Promise.all(["README.md", ...manual].map((path) => readFile(join(root, path), "utf8")));
  const blocks = pages.flatMap((page) => [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block));
  const ofPages = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, "").split("\n"));
  return [...new Set([...ofHelp, ...ofPages].filter((line) => line !== ""))];
}

/** One call, as an HTTP Archive has it. */
const recording = JSON.stringify({
  log: {
    entries: [
      {
        request: { method: "GET", url: "http://127.0.0.1:8080/-/liveness", headers: [] },
        response: { status: 200, headers: [], content: { text: '{"status":"ok"}' } },
      },
    ],
  },
});

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const examples = await collectExamples();

/** A store with root, ada, mal who is banned, a project, and tokens up to number 12, to copy for each example. */
let prepared: TempFolder;
let outpost: OutpostProcess;

beforeAll(async () => {
  prepared = await createTempFolder();
  const data = join(prepared.path, "data");
  const first = await startOutpost({ env: secrets, dataFolder: data });
  await post(first, "/users", {
    username: "ada",
    name: "Ada",
    email: "ada@skylark.example",
    force_random_password: true,
  });
  await post(first, "/users", {
    username: "mal",
    name: "Mal",
    email: "mal@skylark.example",
    force_random_password: true,
  });
  await post(first, "/users/3/ban", {});
  for (let id = 2; id <= 12; id += 1)
    await post(first, "/users/1/personal_access_tokens", { name: "x", scopes: ["api"] });
  await post(first, "/projects", { name: "demo" });
  const skylark = await post(first, "/groups", { name: "skylark", path: "skylark" });
  const firmware = await post(first, "/groups", { name: "firmware", path: "firmware", parent_id: skylark.id });
  await post(first, "/projects", { name: "anemometer", namespace_id: firmware.id });
  await first.stop();
  await mkdir(join(prepared.path, "bin"));
  await mkdir(join(prepared.path, "dist"));
  await symlink(executable, join(prepared.path, "bin/outpost"));
  await symlink(executable, join(prepared.path, "dist/outpost"));
  for (const name of standIns) await script(name, "exit 0");
  await script("ssh", "cat > /dev/null");
  await script("pass", "echo a passphrase of five words");
  await runOutpost(["backup", "--data", data, "-o", join(prepared.path, "archive.tar.gz")]);
  await runOutpost(["export", join(prepared.path, "exported"), "--data", data]);
  await cp(data, join(prepared.path, "served"), { recursive: true });
  outpost = await startOutpost({ dataFolder: join(prepared.path, "served") });
});

afterAll(async () => {
  await outpost[Symbol.asyncDispose]();
  await prepared.remove();
});

async function post({ origin }: OutpostProcess, path: string, body: object): Promise<Json> {
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
  const answer = await fetch(`${origin}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return await answer.json();
}

async function script(name: string, text: string): Promise<void> {
  const path = join(prepared.path, "bin", name);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** The example in a folder of its own: other places and days, and the port of the server of these tests. */
function asTested(example: string, folder: string): string {
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  return (
    example
      .replaceAll("/backups/", example.includes("--verify") ? "./" : "new/")
      .replaceAll("https://outpost.example", outpost.origin)
      .replaceAll(/\/(?:srv|tmp)(?:\/[\w-]+)?\b/g, join(folder, "data"))
      .replace(/(--expires-at) \S+/, `$1 ${day}`)
      .replaceAll("http://127.0.0.1:8080", outpost.origin)
      // Made by an earlier example of the page.
      .replace(/\b(block|promote|--search) mara\b(?! -F)/, "$1 ada")
      // All areas take seconds; selftest.test.ts runs them.
      .replace(/outpost selftest\b(?!.* --area)/, "$& --area labels")
      .replace(/^curl /, "curl --silent --fail-with-body --noproxy '*' ")
      .replace(/((?:dist\/)?outpost (?:serve|demo))\b/, "exec $1")
  );
}

function shellOf(example: string): readonly string[] {
  if (example.includes("completion zsh")) return ["zsh", "-f", "-c", `autoload -U compinit; compinit -u; ${example}`];
  if (example.includes("completion fish")) return ["fish", "--no-config", "-c", example];
  return ["bash", "-o", "pipefail", "-c", example];
}

/** A git repository with one commit, and a bundle of it. */
async function makeRepository(folder: string): Promise<void> {
  const as = ["-c", "user.name=Ada", "-c", "user.email=ada@skylark.example"];
  await Bun.$`git init --quiet anemometer && git -C anemometer ${as} commit --quiet --allow-empty -m Begin && git -C anemometer bundle create --quiet ../anemometer.bundle --all`
    .cwd(folder)
    .quiet();
}

/** Ends a server once it listens. */
async function run(example: string) {
  await using folder = await createTempFolder();
  const isServer = /outpost (serve|demo)\b/.test(example) && !example.includes("npx");
  // A store is restored or seeded in an empty folder only.
  if (!/\b(restore|seed)\b/.test(example))
    await cp(join(prepared.path, "data"), join(folder.path, "data"), { recursive: true });
  await mkdir(join(folder.path, "new"));
  for (const name of example.match(/[\w-]+\.tar\.gz/g) ?? []) {
    await symlink(join(prepared.path, "archive.tar.gz"), join(folder.path, name));
  }
  if (example.includes("fixture.yaml")) await writeFile(join(folder.path, "fixture.yaml"), contractExample);
  if (example.includes("run.har")) await writeFile(join(folder.path, "run.har"), recording);
  if (/import \.\/|exported\/\w/.test(example)) {
    await symlink(join(prepared.path, "exported"), join(folder.path, "exported"));
  }
  await symlink(join(prepared.path, "dist"), join(folder.path, "dist"));
  if (example.includes("repository import")) await makeRepository(folder.path);
  if (example.includes("@station.png")) await writeFile(join(folder.path, "station.png"), onePixel);
  const child = Bun.spawn([...shellOf(asTested(example, folder.path))], {
    cwd: folder.path,
    env: {
      ...{ PATH: `${join(prepared.path, "bin")}:${process.env.PATH}`, HOME: folder.path, TERM: "dumb", TOKEN: token },
      ...(isServer ? { OUTPOST_PORT: "0" } : {}),
      ...(/outpost (?:api|selftest|replay)\b|--url /.test(example)
        ? { OUTPOST_URL: outpost.origin, OUTPOST_TOKEN: token }
        : {}),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = child.stderr.text();
  let text = "";
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString();
    if (isServer && text.includes("outpost listening on ")) child.kill("SIGTERM");
  }
  return { exitCode: await child.exited, stdout: text, stderr: await errors };
}

describe("an example works as it is written:", () => {
  const runnable = examples.map((example) => {
    const tool = Object.keys(missing).find(
      (name) => missing[name] !== undefined && new RegExp(`\\b${name}\\b`).test(example),
    );
    return [example, tool] as const;
  });

  for (const [example, tool] of runnable) {
    test.concurrent.skipIf(tool !== undefined)(example, async () => {
      const { exitCode, stdout, stderr } = await run(example);
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
      if (/--json$/.test(example)) JSON.parse(stdout);
    });
  }
});

test("there are examples in the help of every command, in the manual and in the README", () => {
  expect(examples.length).toBeGreaterThan(60);
});
