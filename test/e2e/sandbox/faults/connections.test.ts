import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { knownCredentials, listAll, postUser, rootHeaders, until } from "../../../support/process/fault-client.ts";
import { askFrom } from "../../../support/process/local-address.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { afterShell, startUnder } from "../../../support/process/outpost-under.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const clients = 200;
const descriptorsMax = 256;
/** Connections that one sender tries to hold. */
const floodConnections = 600;
/** All of 127/8 is this machine. */
const otherNetwork = "127.0.0.2";
const longText = "x".repeat(250);
const attributes = { note: longText, location: longText, organization: longText };

/** That many connections, each opened as far as the server lets it; disposing closes them. */
function openMany(origin: string, count: number): Disposable & { readonly sockets: readonly Socket[] } {
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    // That some of them are cut off or never taken is what this is about.
    return socket.on("error", () => undefined);
  });
  return {
    sockets,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function isAlive(origin: string, signal?: AbortSignal): Promise<boolean> {
  return fetch(`${origin}/-/liveness`, { signal: signal ?? null }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Makes files that each request reads from the disk: by the server itself, and by the runtime. */
async function makeFiles(origin: string): Promise<{ readonly ofRepository: string; readonly ofPackage: string }> {
  const send = async (method: string, path: string, body: string, type: string) => {
    const headers = { ...rootHeaders, "Content-Type": type };
    const answer = await fetch(`${origin}/api/v4${path}`, { method, headers, body });
    expect([path, answer.status]).toEqual([path, 201]);
    return (await answer.json()) as { id: number };
  };
  const project = JSON.stringify({ name: "filed", initialize_with_readme: true });
  const { id } = await send("POST", "/projects", project, "application/json");
  const ofPackage = `/projects/${id}/packages/generic/a/1.0/a.bin`;
  await send("PUT", ofPackage, longText, "application/octet-stream");
  return { ofRepository: `/projects/${id}/repository/files/README.md?ref=main`, ofPackage };
}

const isCountable = existsSync("/proc/self/fd");
if (!isCountable) console.log("skipped: this system does not tell how many file descriptors a process has (/proc)");

/** A process that takes all connections it can; `opened` counts hundreds of them. */
function startFlood(origin: string): AsyncDisposable & { readonly opened: () => number } {
  const program = join(import.meta.dir, "../../../support/process/connection-flood.ts");
  const child = Bun.spawn([process.execPath, program, new URL(origin).port, String(floodConnections)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let opened = 0;
  const counted = (async () => {
    for await (const dots of child.stdout) opened += dots.length;
  })();
  return {
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await counted;
    },
  };
}

describe.skipIf(!isCountable)(`with ${descriptorsMax} file descriptors, and a sender that takes all it can`, () => {
  test("other networks read, sign in and write, and nothing acknowledged is lost", async () => {
    await using folder = await createTempFolder();
    const dataFolder = join(folder.path, "data");
    const known: string[] = [];
    {
      const wrapper = afterShell(`ulimit -n ${descriptorsMax}`);
      await using outpost = await startUnder(wrapper, dataFolder, knownCredentials);
      const file = await makeFiles(outpost.origin);
      const ask = (method: string, path: string, body?: object) =>
        askFrom(otherNetwork, outpost.origin, { method, path, headers: rootHeaders, body: JSON.stringify(body) });
      await using flood = startFlood(outpost.origin);
      await until("the sender has more than its share", () => flood.opened() > 10);
      for (const path of ["/-/health", "/-/metrics", "/api/v4/user"]) {
        expect([path, (await ask("GET", path)).status]).toEqual([path, 200]);
      }
      // Files outside the store have no reserve: a client may have to ask again.
      for (const path of Object.values(file)) {
        await until(`serves ${path}`, async () => {
          const { status } = await ask("GET", `/api/v4${path}`);
          expect([200, 503]).toContain(status);
          return status === 200;
        });
      }
      const credentials = { login: "root", password: knownCredentials.OUTPOST_ROOT_PASSWORD };
      const signIn = { method: "POST", path: "/-/session", headers: { "Content-Type": "application/json" } };
      const session = await askFrom(otherNetwork, outpost.origin, { ...signIn, body: JSON.stringify(credentials) });
      expect([session.status, session.text]).toEqual([201, expect.any(String)]);
      // Past the end of the first journal file: the next one needs descriptors.
      for (let turn = 0; turn < 20; turn += 1) {
        const issue = { title: `issue ${turn}`, description: "x".repeat(100_000) };
        const { status } = await ask("POST", "/api/v4/projects/1/issues", issue);
        expect([turn, status]).toEqual([turn, 201]);
        known.push(issue.title);
      }
      expect((await ask("GET", "/-/health")).status).toBe(200);
      const before = flood.opened();
      await until("the sender still tries", () => flood.opened() > before);
      expect(descriptorsOf(outpost.pid)).toBeLessThanOrEqual(descriptorsMax);
    }
    await using next = await startOutpost({ dataFolder });
    const issues = await listAll<{ readonly title: string }>(next.origin, "/projects/1/issues?per_page=100");
    expect(issues.map(({ title }) => title).sort()).toEqual(known.sort());
  }, 180_000);
});

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("connect", resolve).once("error", () => resolve()));
}

/** Bodies of people without a token that are on their way from one address. */
const strangersOfAddress = 64;

test(`${clients} clients that send a byte of their request each second delay no other`, async () => {
  await using outpost = await startOutpost({ env: knownCredentials, args: ["--log-level", "warn"] });
  using many = openMany(outpost.origin, clients);
  await Promise.all(many.sockets.map((socket) => socket.connecting && opened(socket)));
  const begin = [
    "GET /api/v4/users HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "POST /api/v4/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
  ];
  for (const [turn, socket] of many.sockets.entries()) socket.write(begin[turn % 2] as string);
  const drip = setInterval(() => {
    for (const socket of many.sockets) if (!socket.destroyed) socket.write(" ");
  }, 1_000);
  try {
    for (let turn = 0; turn < 50; turn += 1) {
      expect((await postUser(outpost.origin, `quick${turn}`)).status).toBe(201);
    }
    // The slow requests are still open, so the quick ones did not wait for them. Of strangers, the server
    // reads 64 bodies from one address and refuses more at once.
    const waiting = many.sockets.filter(({ destroyed, bytesRead }) => !destroyed && bytesRead === 0);
    expect(waiting.length).toBe(clients / 2 + strangersOfAddress);
  } finally {
    clearInterval(drip);
  }
  using _more = openMany(outpost.origin, 1);
  expect(await isAlive(outpost.origin)).toBe(true);
}, 180_000);

test("readers that never read delay no other", async () => {
  await using outpost = await startOutpost({ env: knownCredentials, args: ["--log-level", "warn"] });
  for (let turn = 0; turn < 100; turn += 1) await postUser(outpost.origin, `u${turn}`, attributes);
  using many = openMany(outpost.origin, 50);
  const ask = `GET /api/v4/users?per_page=100 HTTP/1.1\r\nHost: a\r\nPRIVATE-TOKEN: ${knownCredentials.OUTPOST_ROOT_TOKEN}\r\n\r\n`;
  for (const socket of many.sockets) socket.pause().write(ask.repeat(20));
  for (let turn = 0; turn < 20; turn += 1) expect(await isAlive(outpost.origin)).toBe(true);
  expect((await postUser(outpost.origin, "after")).status).toBe(201);
}, 180_000);
