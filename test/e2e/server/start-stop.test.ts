import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readRootToken } from "../../support/process/credentials.ts";
import { until } from "../../support/process/fault-client.ts";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { beginSlowRequest, untilRefused } from "../../support/process/slow-request.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const known = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const newcomer = { email: "late@example.test", username: "late", name: "Late Comer", force_random_password: true };

async function whoIs(origin: string, token: string): Promise<unknown> {
  const answer = await fetch(`${origin}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } });
  return answer.json();
}

describe("first start", () => {
  test("leaves credentials that only the owner may read, prints the path, and their token works", async () => {
    await using outpost = await startOutpost();
    const file = join(outpost.dataFolder, "initial-root-credentials");
    await outpost.saw(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(outpost.dataFolder)).mode & 0o777).toBe(0o700);
    const token = await readRootToken(outpost.dataFolder);
    expect(token.length).toBeGreaterThanOrEqual(20);
    expect(await whoIs(outpost.origin, token)).toMatchObject({ id: 1, username: "root" });
    expect(outpost.stdout() + outpost.stderr()).not.toContain(token);
    await outpost.saw('"PRIVATE-TOKEN: <token from that file>"');
  });

  test("takes a given token and password and writes neither to a file", async () => {
    await using outpost = await startOutpost({ env: known });
    expect(await whoIs(outpost.origin, rootToken)).toMatchObject({ id: 1, username: "root" });
    expect(existsSync(join(outpost.dataFolder, "initial-root-credentials"))).toBe(false);
    expect(outpost.stdout() + outpost.stderr()).not.toContain(rootToken);
    await outpost.saw('"PRIVATE-TOKEN: <your token>"');
  });

  test("ignores another token on a later start, with a line in the log", async () => {
    await using folder = await createTempFolder();
    const first = await startOutpost({ env: known, dataFolder: folder.path });
    await first.stop();
    const env = { OUTPOST_ROOT_TOKEN: "another-token-for-tests-0123456789" };
    await using second = await startOutpost({ env, dataFolder: folder.path });
    expect(await whoIs(second.origin, rootToken)).toMatchObject({ username: "root" });
    expect(await whoIs(second.origin, env.OUTPOST_ROOT_TOKEN)).toEqual({ message: "401 Unauthorized" });
    await second.saw("OUTPOST_ROOT_TOKEN is no token of this store");
    await second.stop();
    await using third = await startOutpost({ env: known, dataFolder: folder.path });
    await third.saw("Ctrl-C");
    expect(third.stderr()).not.toContain("OUTPOST_ROOT_TOKEN");
  });
});

describe("ready", () => {
  test("prints exactly one line on stdout, and messages on stderr", async () => {
    await using outpost = await startOutpost({ env: known });
    await outpost.saw("Ctrl-C");
    const { stdout, stderr } = await outpost.stop();
    expect(stdout).toBe(`outpost listening on ${outpost.origin}\n`);
    expect(outpost.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(stderr).toContain(`${outpost.origin}/api/v4/user`);
  });

  test.each([["health"], ["readiness"], ["liveness"]])("/-/%s answers 200 without a token", async (name) => {
    await using outpost = await startOutpost({ env: known });
    expect((await fetch(`${outpost.origin}/-/${name}`)).status).toBe(200);
  });

  test("for people, a request is logged with its path and without its query, and so is the stop", async () => {
    await using outpost = await startOutpost({ env: known, args: ["--log-format", "text"] });
    await fetch(`${outpost.origin}/api/v4/users/1?private_token=${rootToken}`);
    await outpost.saw("200 GET /api/v4/users/1 ");
    const { stderr } = await outpost.stop();
    expect(stderr).toEndWith("\nstopped\n");
    expect(stderr).not.toContain(rootToken);
  });

  test("the version in HTTP answers is the one that the command prints", async () => {
    await using outpost = await startOutpost({ env: known });
    const answer = await fetch(`${outpost.origin}/api/v4/version`, { headers: { "PRIVATE-TOKEN": rootToken } });
    const { version } = (await answer.json()) as { version: string };
    expect((await runOutpost(["version"])).stdout).toContain(`(API ${version.replace(/-ee$/, "")})`);
  });

  test("works from the sources as well", async () => {
    await using outpost = await startOutpost({ env: known, from: "source" });
    expect(await whoIs(outpost.origin, rootToken)).toMatchObject({ username: "root" });
  });
});

describe("a failed start", () => {
  test("names the process that holds the folder", async () => {
    await using holder = await startOutpost({ env: known });
    const { exitCode, stdout, stderr } = await runOutpost(["serve", "--port", "0", "--data", holder.dataFolder]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(String(holder.pid));
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines.at(-1)).toStartWith("try: ");
    expect(await whoIs(holder.origin, rootToken)).toMatchObject({ username: "root" });
  });

  test("on a taken port has a hint", async () => {
    await using folder = await createTempFolder();
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("taken") });
    const args = ["serve", "--port", String(other.port), "--data", join(folder.path, "data")];
    const { exitCode, stdout, stderr } = await runOutpost(args);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]).toContain(`port ${other.port} is taken`);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines.at(-1)).toContain("outpost serve --port 0");
  });

  test("leaves the folder usable", async () => {
    await using folder = await createTempFolder();
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("taken") });
    await runOutpost(["serve", "--port", String(other.port), "--data", folder.path], { env: known });
    await using outpost = await startOutpost({ env: known, dataFolder: folder.path });
    expect(await whoIs(outpost.origin, rootToken)).toMatchObject({ id: 1, username: "root" });
  });
});

describe("stop", () => {
  test.each([["SIGTERM"], ["SIGINT"]] as const)("%s ends an idle server with exit code 0", async (signal) => {
    await using outpost = await startOutpost({ env: known });
    expect(await outpost.stop(signal)).toMatchObject({ exitCode: 0, signal: null });
  });

  test("a request in flight gets its answer, and its change is stored", async () => {
    await using folder = await createTempFolder();
    await using outpost = await startOutpost({ env: known, dataFolder: folder.path });
    const request = await beginSlowRequest(outpost.origin, "/api/v4/users", rootToken, newcomer);
    outpost.send("SIGTERM");
    await untilRefused(outpost.origin);
    expect(await request.finish()).toStartWith("HTTP/1.1 201");
    expect(await outpost.ended).toMatchObject({ exitCode: 0, signal: null });
    await using next = await startOutpost({ env: known, dataFolder: folder.path });
    const found = await fetch(`${next.origin}/api/v4/users?username=late`, { headers: { "PRIVATE-TOKEN": rootToken } });
    expect(await found.json()).toMatchObject([{ username: "late" }]);
  });

  test("a second signal does not abort what the first one lets finish", async () => {
    await using outpost = await startOutpost({ env: known });
    const request = await beginSlowRequest(outpost.origin, "/api/v4/users", rootToken, newcomer);
    outpost.send("SIGTERM");
    await untilRefused(outpost.origin);
    outpost.send("SIGTERM");
    outpost.send("SIGINT");
    expect(await request.finish()).toStartWith("HTTP/1.1 201");
    expect(await outpost.ended).toMatchObject({ exitCode: 0, signal: null });
  });
});

test("until it is ready, everything but liveness gets an answer that the server is starting", async () => {
  await using folder = await createTempFolder();
  // Opening it for writing waits for somebody who reads it.
  const recording = join(folder.path, "recording.har");
  await Bun.$`mkfifo ${recording}`;
  const socket = join(folder.path, "outpost.sock");
  const started = startOutpost({ env: known, args: ["--sandbox", "--record", recording, "--socket", socket] });
  const ask = (path: string) => fetch(`http://localhost${path}`, { unix: socket });
  // The file is there a moment before anybody listens.
  const isListening = () => ask("/-/liveness").then(Boolean, () => false);
  await until("the server listens", isListening);
  for (const path of ["/-/readiness", "/-/health", "/api/v4/user"]) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toEqual({ message: "503 Service Unavailable - starting", reasons: ["starting"] });
  }
  expect((await ask("/-/liveness")).status).toBe(200);
  const read = Bun.spawn(["cat", recording]).stdout.text();
  await using outpost = await started;
  expect((await ask("/api/v4/user")).status).toBe(401);
  await outpost.stop();
  expect(await read).toContain("/api/v4/user");
});

describe("the executable", () => {
  test("reads nothing from the folder it is started in", async () => {
    await using folder = await createTempFolder();
    const trace = join(folder.path, "preload-was-run");
    await writeFile(join(folder.path, ".env"), "OUTPOST_EDITION=no-such-edition\n");
    await writeFile(join(folder.path, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
    await writeFile(join(folder.path, "preload.ts"), `await Bun.write(${JSON.stringify(trace)}, "");\n`);
    await using outpost = await startOutpost({ env: known, cwd: folder.path });
    expect(await whoIs(outpost.origin, rootToken)).toMatchObject({ username: "root" });
    expect(existsSync(trace)).toBe(false);
  });

  test("answers a request line of 60 KiB itself", async () => {
    await using outpost = await startOutpost({ env: known });
    const answer = await fetch(`${outpost.origin}/api/v4/version?x=${"x".repeat(60 * 1024)}`);
    expect(answer.status).toBe(414);
    expect(await answer.json()).toEqual({ message: "414 Request-URI Too Large" });
  });
});

describe("the log", () => {
  test.each([["json"], ["text"]])("as %s may lose its reader: the server goes on, and stops", async (format) => {
    await using folder = await createTempFolder();
    const serve = [executable, "serve", "--port", "0", "--data", folder.path, "--log-format", format];
    // The reader of stderr ends before the server has written all of its start.
    const command = ["bash", "-c", 'exec "$@" 2> >(head -c 10 > /dev/null)', "bash", ...serve];
    const child = Bun.spawn(command, { env: { ...process.env, ...known }, stdio: ["ignore", "pipe", "ignore"] });
    try {
      const { value } = await child.stdout.getReader().read();
      const origin = /http:\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await whoIs(origin, rootToken)).toMatchObject({ username: "root" });
        // Its line leaves a moment later.
        await Bun.sleep(20);
      }
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("has no token, wherever a request has it, and no password", async () => {
    await using outpost = await startOutpost({ env: { ...known, OUTPOST_LOG_LEVEL: "debug" } });
    await whoIs(outpost.origin, rootToken);
    for (const name of ["private_token", "access_token"]) {
      await fetch(`${outpost.origin}/api/v4/user?${name}=${rootToken}`);
    }
    await fetch(`${outpost.origin}/api/v4/user`, { headers: { Authorization: `Bearer ${rootToken}` } });
    const { stderr } = await outpost.stop();
    expect(stderr).not.toContain(rootToken);
    expect(stderr).not.toContain(known.OUTPOST_ROOT_PASSWORD);
  });
});
