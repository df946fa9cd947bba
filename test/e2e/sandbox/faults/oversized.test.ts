import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import {
  createUser,
  knownCredentials,
  listUsers,
  rootHeaders,
  rootToken,
} from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";

const mib = 1 << 20;
/** The most memory that one refused request may add to the process. */
const growthMibMax = 200;

/** Peak of the memory of a process so far, where the system tells it. */
async function peakMib(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

async function send(origin: string, body: string | Uint8Array<ArrayBuffer>): Promise<Refusal> {
  const answer = await fetch(`${origin}/api/v4/users`, { method: "POST", headers: rootHeaders, body });
  return { status: answer.status, text: await answer.text() };
}

/** A connection that is cut while more is written may take the answer with it: then it is asked again. */
async function sendChunked(origin: string, type: string, sizeMib: number): Promise<Refusal> {
  for (let tries = 1; tries < 10; tries += 1) {
    const answer = await trySendChunked(origin, type, sizeMib).catch((error) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") throw error;
    });
    if (answer !== undefined) return answer;
  }
  return trySendChunked(origin, type, sizeMib);
}

/** A body of unknown length, as fast as the server takes it, until it is sent or the server has heard enough. */
function trySendChunked(origin: string, type: string, sizeMib: number): Promise<Refusal> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const chunk = Buffer.concat([Buffer.from(`${mib.toString(16)}\r\n`), Buffer.alloc(mib, "x"), Buffer.from("\r\n")]);
  let sent = 0;
  const pump = () => {
    while (sent < sizeMib && !socket.destroyed) {
      sent += 1;
      if (!socket.write(chunk)) {
        socket.once("drain", pump);
        return;
      }
    }
    if (sent === sizeMib) socket.write("0\r\n\r\n");
  };
  const { promise, resolve, reject } = Promise.withResolvers<Refusal>();
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
    const match = /^HTTP\/1\.1 (\d+).*?\r\n\r\n(.+)$/s.exec(received);
    if (match === null) return;
    resolve({ status: Number(match[1]), text: match[2] as string });
    socket.destroy();
  });
  // An answer that came before the connection was cut has won already.
  socket.on("error", reject);
  socket.on("close", () => reject(new Error(`closed after ${sent} MiB with: ${received}`)));
  socket.on("connect", () => {
    socket.write(
      `POST /api/v4/users HTTP/1.1\r\nHost: a\r\nPRIVATE-TOKEN: ${rootToken}\r\nContent-Type: ${type}\r\n` +
        "Transfer-Encoding: chunked\r\n\r\n",
    );
    pump();
  });
  return promise;
}

const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
const deepArrays = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
const manyItems = `{"a":[${"1,".repeat(1_000_000)}1]}`;
const large = `{"name":"${"x".repeat(20 * mib)}"}`;

test.each<[string, (origin: string) => Promise<Refusal>, number, RegExp]>([
  ["hashes 100,000 deep", (origin) => send(origin, deep), 400, /deep|nest/i],
  ["arrays 100,000 deep", (origin) => send(origin, deepArrays), 400, /deep|nest/i],
  ["an array of a million", (origin) => send(origin, manyItems), 400, /array|elements|large/i],
  ["20 MiB of JSON", (origin) => send(origin, large), 400, /too large/i],
  ["20 MiB of JSON in chunks", (origin) => sendChunked(origin, "application/json", 20), 400, /too large/i],
  [
    "120 MiB of a form in chunks",
    (origin) => sendChunked(origin, "application/x-www-form-urlencoded", 120),
    413,
    /413/,
  ],
  ["120 MiB of something else in chunks", (origin) => sendChunked(origin, "text/plain", 120), 415, /not supported/],
])(
  "%s is refused with a clear message, costs little memory, and the server continues",
  async (_, ask, status, words) => {
    await using outpost = await startOutpost({ env: knownCredentials, args: ["--log-level", "warn"] });
    await createUser(outpost.origin, "before");
    const before = await peakMib(outpost.pid);
    if (before === undefined) console.log("skipped: this system does not tell the memory of a process (/proc)");
    const refusal = await ask(outpost.origin);
    expect(refusal.status).toBe(status);
    expect(refusal.text).toMatch(words);
    expect(refusal.text.length).toBeLessThan(1_000);
    const after = await peakMib(outpost.pid);
    if (before !== undefined && after !== undefined) {
      expect(after - before).toBeLessThan(status === 413 ? 2 * growthMibMax : growthMibMax);
    }
    await createUser(outpost.origin, "after");
    expect([...(await listUsers(outpost.origin)).values()]).toEqual(["before", "after"]);
    expect(await outpost.stop()).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('"level":"error"') });
  },
  180_000,
);
