import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import {
  createUser,
  knownCredentials,
  listUsers,
  postUser,
  rootHeaders,
  rootToken,
  until,
} from "../../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../../support/process/outpost-process.ts";
import { afterShell, startUnder } from "../../../support/process/outpost-under.ts";
import { exchangeBytes } from "../../../support/process/raw-http.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const quiet = ["--log-level", "warn"];
/** Of a request in a crowd; far more than it takes on any machine, less than waiting until those who are idle are sent away. */
const answerMsMax = 20_000;

/** A connection on which something was sent; what comes back is kept. */
interface Guest {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

async function invite(origin: string, count: number, greeting: string): Promise<Guest[]> {
  const { hostname, port } = new URL(origin);
  const guests: Guest[] = [];
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname);
      const guest: Guest = { socket, received: "", isClosed: false };
      guests.push(guest);
      socket.on("data", (chunk) => {
        guest.received += chunk;
      });
      socket.once("close", () => {
        guest.isClosed = true;
        resolve();
      });
      socket.on("error", () => undefined);
      socket.once("connect", () => (greeting === "" ? resolve() : socket.write(greeting, () => resolve())));
    });
  // In waves: the queue of those who knock is bounded by the system.
  for (let at = 0; at < count; at += 250) await Promise.all(Array.from({ length: Math.min(250, count - at) }, one));
  return guests;
}

function seeOut(guests: readonly Guest[]): void {
  for (const { socket } of guests) socket.destroy();
}

async function slowestOf(turns: number, ask: (turn: number) => Promise<Response>, status: number): Promise<number> {
  let slowestMs = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const started = performance.now();
    const answer = await ask(turn);
    await answer.arrayBuffer();
    expect(answer.status).toBe(status);
    slowestMs = Math.max(slowestMs, performance.now() - started);
  }
  return slowestMs;
}

const getUser = ({ origin }: { readonly origin: string }) => fetch(`${origin}/api/v4/user`, { headers: rootHeaders });

function residentMib({ pid }: OutpostProcess): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

const isCountable = existsSync("/proc/self/fd");
const openFilesMax = Number(Bun.spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString());
const idle = 10_000;
const whyNotIdle =
  isCountable && openFilesMax >= idle + 500 ? undefined : `only ${openFilesMax} open files are allowed`;
if (whyNotIdle !== undefined) console.log(`skipped: ${idle} connections: ${whyNotIdle}`);

test.skipIf(whyNotIdle !== undefined)(
  `${idle} idle connections delay no other, and cost little`,
  async () => {
    const args = [...quiet, "--network-connections", String(openFilesMax)];
    await using outpost = await startOutpost({ env: knownCredentials, args });
    await getUser(outpost);
    const before = residentMib(outpost);
    // Half of them have been answered once, as a client's pool is; half have never said a word.
    const used = await invite(outpost.origin, idle / 2, "GET /-/liveness HTTP/1.1\r\nHost: a\r\n\r\n");
    const silent = await invite(outpost.origin, idle / 2, "");
    try {
      expect(await slowestOf(50, () => getUser(outpost), 200)).toBeLessThan(answerMsMax);
      expect(await slowestOf(20, (turn) => postUser(outpost.origin, `u${turn}`), 201)).toBeLessThan(answerMsMax);
      const isAnswered = ({ received }: Guest) => received.startsWith("HTTP/1.1 200 ");
      await until("those who asked are answered", () => used.every(isAnswered));
      // Of those who never said a word the kernel keeps some to itself.
      expect(readdirSync(`/proc/${outpost.pid}/fd`).length).toBeGreaterThan(idle / 2);
      expect(residentMib(outpost) - before).toBeLessThan(200);
    } finally {
      seeOut([...used, ...silent]);
    }
    // Of some the runtime hears only when it looks for connections that have been idle for too long.
    await until("connections are closed", () => readdirSync(`/proc/${outpost.pid}/fd`).length < 200, 120_000);
    expect((await outpost.stop()).exitCode).toBe(0);
  },
  180_000,
);

test("a client that closes half of a connection is answered, and leaves no connection open", async () => {
  await using outpost = await startOutpost({ env: knownCredentials, args: quiet });
  const { hostname, port } = new URL(outpost.origin);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("error", () => undefined);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.end("GET /-/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await closed;
      return text;
    }),
  );
  // The runtime may take the half for the whole and close; it must not keep anything.
  for (const text of answers) expect(text === "" || text.startsWith("HTTP/1.1 200 ")).toBe(true);
  const halves = await invite(
    outpost.origin,
    200,
    "POST /api/v4/users HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{",
  );
  for (const { socket } of halves) socket.end();
  if (isCountable) await until("halves are closed", () => readdirSync(`/proc/${outpost.pid}/fd`).length < 100, 120_000);
  seeOut(halves);
  expect((await getUser(outpost)).status).toBe(200);
}, 180_000);

describe("headers", () => {
  test("that are too many, too long or endless are refused, and other clients are answered meanwhile", async () => {
    await using outpost = await startOutpost({ env: knownCredentials, args: quiet });
    const head = "GET /-/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
    const many = `${head}${Array.from({ length: 5_000 }, (_, at) => `X-${at}: y\r\n`).join("")}\r\n`;
    const long = `${head}X-Long: ${"x".repeat(1 << 20)}\r\n\r\n`;
    const ask = (text: string) =>
      exchangeBytes(outpost.origin, Buffer.from(text)).then(
        (bytes) => bytes.toString().split("\r\n", 1)[0] ?? "",
        // Cut off in the middle of what nobody reads any more.
        () => "",
      );
    const floods = Array.from({ length: 40 }, (_, at) => ask(at % 2 === 0 ? many : long));
    expect(await slowestOf(20, () => getUser(outpost), 200)).toBeLessThan(answerMsMax);
    for (const status of await Promise.all(floods)) expect(status).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    const endless = await invite(outpost.origin, 20, `${head}X-Endless: `);
    for (const { socket } of endless) socket.write("x".repeat(500_000));
    await until("the endless are cut off", () => endless.every(({ isClosed }) => isClosed));
    expect((await getUser(outpost)).status).toBe(200);
    expect(outpost.stderr()).not.toContain('"level":"error"');
  }, 180_000);
});

describe.skipIf(whyNotIdle !== undefined)("more uploads than the limit", () => {
  /** Of one address: a quarter of all. */
  const arrivingMax = 1_024;
  test("are refused with 503 and Retry-After, while reads are answered and the others continue", async () => {
    await using outpost = await startOutpost({ env: knownCredentials, args: quiet });
    const begin =
      `POST /api/v4/users/1/personal_access_tokens HTTP/1.1\r\nHost: a\r\nPRIVATE-TOKEN: ${rootToken}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 50000\r\n\r\n{";
    const slow = await invite(outpost.origin, arrivingMax, begin);
    try {
      const more = () => postUser(outpost.origin, "one-more", { padding: "x".repeat(100_000) });
      let refused = await more();
      await until("no more bodies are taken", async () => {
        if (refused.status !== 503) refused = await more();
        return refused.status === 503;
      });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused.json()).toEqual({ message: "503 Service Unavailable" });
      expect(await slowestOf(50, () => getUser(outpost), 200)).toBeLessThan(answerMsMax);
      expect((await fetch(`${outpost.origin}/-/readiness`)).status).toBe(200);
      // A small body that comes with its head is not on its way.
      expect((await postUser(outpost.origin, "small")).status).toBe(201);
    } finally {
      seeOut(slow);
    }
    const later = { padding: "x".repeat(100_000) };
    await until("bodies are taken again", async () => (await postUser(outpost.origin, "later", later)).status === 201);
  }, 180_000);
});

test("password changes beyond the limit are refused with 503, and the others succeed", async () => {
  await using outpost = await startOutpost({ env: knownCredentials, args: quiet });
  const password = { password: "a password long enough", force_random_password: false };
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => postUser(outpost.origin, `p${at}`, password)),
  );
  const statuses = answers.map(({ status }) => status);
  const made = statuses.filter((status) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 503);
  expect([made + refused.length, made >= 32, refused.length > 0]).toEqual([60, true, true]);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await listUsers(outpost.origin)).size).toBe(made);
}, 180_000);

const descriptorsMax = 64;

describe.skipIf(!isCountable)(`with ${descriptorsMax} file descriptors, and repeated crowds of clients`, () => {
  test("a crowd of one network keeps its share of the connections, and the latest clients are served", async () => {
    await using folder = await createTempFolder();
    const wrapper = afterShell(`ulimit -n ${descriptorsMax}`);
    await using outpost = await startUnder(wrapper, join(folder.path, "data"), knownCredentials);
    await createUser(outpost.origin, "first");
    const share = descriptorsMax / 4;
    const servedNow = async () => (await getUser(outpost).catch(() => undefined))?.status === 200;
    for (let round = 0; round < 3; round += 1) {
      const crowd = await invite(outpost.origin, 200, "GET /-/liveness HTTP/1.1\r\nHost: a\r\n\r\n");
      const isServed = ({ received }: Guest) => received.startsWith("HTTP/1.1 200 ");
      await until("more than the share are served", () => crowd.filter(isServed).length > share);
      await until("connections beyond the share are closed", () => crowd.filter(isOpen).length <= share);
      await until("a new client is served", servedNow);
      seeOut(crowd);
    }
  }, 180_000);
});

const isOpen = ({ isClosed }: Guest) => !isClosed;
