import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { namespaces } from "../../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { openKeptStore } from "../../../support/disk/kept-store.ts";
import { readIntoMemory } from "../../../support/disk/memory-disk.ts";
import { knownCredentials, listUsers, postUser, rootToken, Writers } from "../../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../../support/process/outpost-process.ts";
import { beginSlowRequest, untilRefused } from "../../../support/process/slow-request.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

/** When a stop cuts off whoever is still connected. */
const graceMs = 2_500;
const stopMsMax = 60_000;
const head = `Host: outpost.test\r\nPRIVATE-TOKEN: ${rootToken}\r\nContent-Type: application/json\r\n`;

interface Client extends Disposable {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  readonly closed: Promise<void>;
}

/** A connection over which `text` was sent, and, as long as it is open, `drip` once a second. */
async function openClient(origin: string, text: string, drip = ""): Promise<Client> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  // A connection that the server cuts off is what is waited for.
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => socket.on("connect", resolve));
  if (text !== "") await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  const timer = drip === "" ? undefined : setInterval(() => socket.write(drip), 1_000);
  void closed.then(() => clearInterval(timer));
  return { socket, received: () => received, closed, [Symbol.dispose]: () => void socket.destroy() };
}

/** Asks for the end and returns how long it took. */
async function timedStop(outpost: OutpostProcess): Promise<number> {
  const started = performance.now();
  expect(await outpost.stop()).toMatchObject({ exitCode: 0, signal: null });
  return performance.now() - started;
}

/** The number of the journal's transactions that the segments do not have: the next start has to replay them. */
async function unwrittenTransactions(dataFolder: string): Promise<number> {
  const segment = await readFile(join(dataFolder, "generations/0001/documents/users/000000.json"), "utf8");
  const saved = Number(/"sequence":(\d+)/.exec(segment)?.[1]);
  const { stdout } = Bun.spawnSync(["sh", "-c", `cat "$0"/generations/0001/journal/*.log | tr -d '\\0'`, dataFolder]);
  const last = [...stdout.toString().matchAll(/^[\da-f]{8} \{"t":(\d+)/gm)].at(-1)?.[1];
  return Number(last) - saved;
}

describe("SIGTERM", () => {
  test.each([
    ["once", 1],
    ["twice", 2],
  ] as const)(
    "%s, while 16 clients write: everything acknowledged is stored, and nothing is left to replay",
    async (_, signals) => {
      await using folder = await createTempFolder();
      await using outpost = await startOutpost({ env: knownCredentials, dataFolder: folder.path });
      const writers = new Writers(outpost.origin, "u");
      await writers.acknowledgedAtLeast(300);
      if (signals === 2) outpost.send("SIGTERM");
      expect(await timedStop(outpost)).toBeLessThan(stopMsMax);
      await writers.done;
      // Late writers got 503, or no connection.
      expect([...writers.refusals].filter((status) => status !== 503)).toEqual([]);
      expect(await unwrittenTransactions(folder.path)).toBe(0);
      await using next = await startOutpost({ dataFolder: folder.path });
      expect(writers.missingFrom(await listUsers(next.origin))).toEqual([]);
    },
    180_000,
  );

  test("does not wait for a client with an idle connection, or one that sent nothing", async () => {
    const stopMs = async () => {
      await using outpost = await startOutpost({ env: knownCredentials });
      using idle = await openClient(outpost.origin, `GET /-/liveness HTTP/1.1\r\n${head}\r\n`);
      using _silent = await openClient(outpost.origin, "");
      while (!idle.received().includes("200 OK")) await Bun.sleep(5);
      return await timedStop(outpost);
    };
    // A server that waited would never be quicker; one that does not may meet a busy machine.
    let quickestMs = await stopMs();
    for (let tries = 1; tries < 5 && quickestMs >= graceMs; tries += 1) quickestMs = await stopMs();
    expect(quickestMs).toBeLessThan(graceMs);
  }, 180_000);

  test.each([
    ["a body", `POST /api/v4/users HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{`, " "],
    [
      "a body in chunks",
      `POST /api/v4/users HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      "1\r\n \r\n",
    ],
    ["a head", "GET /api/v4/us", "e"],
  ])(
    "does not wait indefinitely for a client that sends %s one byte a second",
    async (_, begin, drip) => {
      await using outpost = await startOutpost({ env: knownCredentials });
      using slow = await openClient(outpost.origin, begin, drip);
      // A later request that is answered shows that the earlier one has arrived.
      expect((await fetch(`${outpost.origin}/-/liveness`)).status).toBe(200);
      expect(await timedStop(outpost)).toBeLessThan(stopMsMax);
      await slow.closed;
      expect(slow.received()).not.toContain("HTTP/1.1 2");
    },
    180_000,
  );

  test("is the reason in readiness and health while a request ends", async () => {
    await using outpost = await startOutpost({ env: knownCredentials });
    const user = { email: "late@example.test", username: "late", name: "Late", force_random_password: true };
    const inFlight = await beginSlowRequest(outpost.origin, "/api/v4/users", rootToken, user);
    const heads = ["readiness", "health", "liveness"].map((name) => `GET /-/${name} HTTP/1.1\r\nHost: x\r\n`);
    const clients = await Promise.all(heads.map((begin) => openClient(outpost.origin, begin)));
    outpost.send("SIGTERM");
    await untilRefused(outpost.origin);
    for (const { socket } of clients) socket.write("Connection: close\r\n\r\n");
    await Promise.all(clients.map(({ closed }) => closed));
    const [readiness, health, liveness] = clients.map((client) => client.received());
    const body = '{"message":"503 Service Unavailable - stopping","reasons":["stopping"]}';
    expect(readiness).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n(.*\r\n)*Retry-After: \d+\r\n/);
    expect(readiness).toEndWith(body);
    expect(health).toEndWith(body);
    expect(liveness).toStartWith("HTTP/1.1 200");
    expect(await inFlight.finish()).toStartWith("HTTP/1.1 201");
    expect(await outpost.ended).toMatchObject({ exitCode: 0, signal: null });
  }, 30_000);

  test("lets a request that hashes a password end, and its user is stored", async () => {
    await using folder = await createTempFolder();
    await using outpost = await startOutpost({ env: knownCredentials, dataFolder: folder.path });
    const hashed = { force_random_password: false, password: "a long enough one 42" };
    // A machine that takes too long for them has them cut off.
    const answers = Promise.allSettled(
      Array.from({ length: 4 }, (_, turn) => postUser(outpost.origin, `hashed${turn}`, hashed)),
    );
    expect((await fetch(`${outpost.origin}/-/liveness`)).status).toBe(200);
    expect(await timedStop(outpost)).toBeLessThan(stopMsMax);
    const made = (await answers).flatMap((each, turn) =>
      each.status === "fulfilled" && each.value.status === 201 ? [`hashed${turn}`] : [],
    );
    await using next = await startOutpost({ dataFolder: folder.path });
    expect([...(await listUsers(next.origin)).values()]).toEqual(expect.arrayContaining(made));
  }, 180_000);
});

test("a closed store takes no change, not even a lazy one", async () => {
  await using folder = await createTempFolder();
  const { store } = await openKeptStore(await readIntoMemory(folder.path), folder.path);
  const user = { id: 1, kind: "user", name: "n", path: "n", full_path: "n", parent_id: null, owner_id: 1 } as const;
  store.transact((tx) => tx.insert(namespaces, user));
  await store.close();
  expect(() => store.transact((tx) => tx.update(namespaces, { ...user, name: "late" }))).toThrow("503");
  store.touch(namespaces, { ...user, name: "late" });
  expect(store.of(namespaces).get(1)).toEqual(user);
});
