import { expect, test } from "bun:test";
import { existsSync, lstatSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { knownCredentials, rootHeaders } from "../../support/process/fault-client.ts";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("a socket file serves owner and group; a start replaces a stale one and never one in use", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  const socket = join(folder.path, "outpost.sock");
  const args = ["--socket", socket, "--trusted-proxies", "unix"];
  const start = () => startOutpost({ env: knownCredentials, dataFolder, args });
  {
    await using outpost = await start();
    expect(outpost.origin).toBe(`unix:${socket}`);
    expect(lstatSync(socket).mode & 0o777).toBe(0o660);
    await outpost.saw(`curl --unix-socket ${socket}`);
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://outpost.example${path}`, { unix: socket, headers: { ...rootHeaders, ...headers } });
    expect(await (await ask("/api/v4/users?per_page=1")).headers.get("link")).toContain("<http://outpost.example/api/");
    const body = JSON.stringify({ name: "x", scopes: ["api"] });
    const made = await fetch("http://localhost/api/v4/users/1/personal_access_tokens", {
      ...{ unix: socket, method: "POST", body },
      headers: { ...rootHeaders, "X-Forwarded-For": "203.0.113.9" },
    });
    expect(made.status).toBe(201);
    const [event] = (await (await ask("/api/v4/audit_events?per_page=1")).json()) as {
      details: { ip_address: string };
    }[];
    expect(event?.details.ip_address).toBe("203.0.113.9");
    const called = await runOutpost(["api", "GET", "/user", "--url", `unix:${socket}`, "--data", dataFolder], {
      env: knownCredentials,
    });
    expect([called.exitCode, called.stderr, JSON.parse(called.stdout).username]).toEqual([0, "200 OK\n", "root"]);
    const configured = await runOutpost(["api", "GET", "/user", "--data", dataFolder], {
      env: { ...knownCredentials, OUTPOST_SOCKET: socket },
    });
    expect(configured.exitCode).toBe(0);

    const second = await runOutpost(["serve", "--socket", socket, "--data", join(folder.path, "other")]);
    expect(second.stderr).toStartWith(`outpost: another process listens on ${socket}\ntry: `);
    expect((await ask("/-/health")).status).toBe(200);
    await outpost.kill();
  }
  expect(existsSync(socket)).toBe(true);
  await using again = await start();
  expect((await fetch("http://localhost/-/health", { unix: socket })).status).toBe(200);
  expect((await again.stop()).exitCode).toBe(0);
  expect(existsSync(socket)).toBe(false);
}, 180_000);

test("a path that cannot be a socket file is one sentence and a hint", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "letter");
  await writeFile(file, "dear");
  for (const [path, sentence] of [
    [file, "exists and is not a socket"],
    [join(folder.path, "no/outpost.sock"), "of the socket does not exist"],
    [join(folder.path, "x".repeat(110)), "more than the 103 that the system allows"],
  ] as const) {
    const { exitCode, stderr } = await runOutpost(["serve", "--socket", path, "-d", join(folder.path, "data")]);
    expect(stderr).toMatch(/^outpost: .*\ntry: .*\n$/);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(1);
  }
});

test("a foreign program on the socket counts as alive", async () => {
  await using folder = await createTempFolder();
  const socket = join(folder.path, "taken.sock");
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once("listening", resolve));
  const { stderr } = await runOutpost(["serve", "--socket", socket, "-d", join(folder.path, "data")]);
  expect(stderr).toContain("another process listens on");
  server.close();
});
