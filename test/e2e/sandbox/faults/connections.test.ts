import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { knownCredentials, listUsers, postUser, rootHeaders, until } from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { afterShell, startUnder } from "../../../support/process/outpost-under.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const clients = 200;
const descriptorsMax = 64;
/** Of one try of a server that may be out of descriptors. */
const tryMsMax = 1_000;
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

describe.skipIf(!isCountable)(`with ${descriptorsMax} file descriptors and ${clients} connections`, () => {
  test("the journal continues, new clients are answered once there is room, and nothing acknowledged is lost", async () => {
    await using folder = await createTempFolder();
    const dataFolder = join(folder.path, "data");
    const known: string[] = [];
    {
      const wrapper = afterShell(`ulimit -n ${descriptorsMax}`);
      await using outpost = await startUnder(wrapper, dataFolder, knownCredentials);
      // `fetch` keeps this one connection for what comes.
      expect((await postUser(outpost.origin, "first")).status).toBe(201);
      known.push("first");
      const file = await makeFiles(outpost.origin);
      {
        using many = openMany(outpost.origin, clients);
        // The server does not see a connection before something comes over it.
        for (const socket of many.sockets) socket.write("GET /-/liveness HTTP/1.1\r\nHost: a\r\nX-Unfinished: ");
        await until("no descriptor is left", () => descriptorsOf(outpost.pid) >= descriptorsMax - 1);
        for (const path of Object.values(file)) {
          const answer = await fetch(`${outpost.origin}/api/v4${path}`, { headers: rootHeaders });
          expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "1"]);
          expect(await answer.json()).toEqual({ message: "503 Service Unavailable" });
        }
        expect((await fetch(`${outpost.origin}/-/metrics`)).status).toBe(200);
        // Past the end of the first journal file, which needs descriptors that there are not.
        let refusals = 0;
        for (let turn = 0; turn < 700; turn += 1) {
          // The server closes a connection that sends nothing for 30 s, and a slow machine is longer here.
          if (turn % 50 === 0) for (const socket of many.sockets) socket.write("a");
          const answer = await postUser(outpost.origin, `u${turn}`, attributes);
          expect([201, 503]).toContain(answer.status);
          if (answer.status === 201) known.push(`u${turn}`);
          else refusals += 1;
          await answer.arrayBuffer();
          if (refusals > 20) break;
        }
        expect(refusals).toBeGreaterThan(0);
        // The connection that was there before is still served.
        expect(await isAlive(outpost.origin)).toBe(true);
        expect(known.length).toBeGreaterThan(100);
      }
      await until("answers again", () => isAlive(outpost.origin, AbortSignal.timeout(tryMsMax)));
      // The server closes the connections one after the other.
      for (const path of Object.values(file)) {
        await until(`serves ${path} again`, async () => {
          const { status } = await fetch(`${outpost.origin}/api/v4${path}`, { headers: rootHeaders });
          return status === 200;
        });
      }
      await until("writes again", async () => {
        const isDone = (await postUser(outpost.origin, "last")).status === 201;
        if (isDone) known.push("last");
        return isDone;
      });
    }
    await using next = await startOutpost({ dataFolder });
    expect([...(await listUsers(next.origin)).values()].sort()).toEqual(known.sort());
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
