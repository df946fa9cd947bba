import { afterAll, beforeAll, expect, test } from "bun:test";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";

const token = "a-token-for-tests-0123456789";
const missing = await installTool(["curl", "--version"], "curl");
let outpost: OutpostProcess;

beforeAll(async () => {
  const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
  outpost = await startOutpost({ env, args: ["--sandbox"] });
});

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

/** The exit codes of curl for a connection that closes: 52 before the answer, 18 in its body, 56 by a reset. */
const closings = new Set([18, 52, 56]);

async function curl(path: string, ...options: string[]) {
  const child = Bun.spawn(
    ["curl", "--silent", "--noproxy", "*", "-H", `PRIVATE-TOKEN: ${token}`, ...options, `${outpost.origin}${path}`],
    { stdout: "pipe" },
  );
  const text = await child.stdout.text();
  const exitCode = await child.exited;
  return { end: closings.has(exitCode) ? "closed" : exitCode, text };
}

const addFault = (json: object) =>
  curl("/-/sandbox/faults", "-H", "Content-Type: application/json", "-d", JSON.stringify(json));
const removeFaults = () => curl("/-/sandbox/faults", "-X", "DELETE");

test.skipIf(missing !== undefined)("drop closes the connection, and nothing is done", async () => {
  const dropped = await curl("/api/v4/groups", "-H", "Prefer: drop", "-d", "name=lost&path=lost");
  expect(dropped).toEqual({ end: "closed", text: "" });
  expect((await curl("/api/v4/groups/lost")).text).toContain("404 Group Not Found");
});

test.skipIf(missing !== undefined)("apply-then-drop does the work, and then closes the connection", async () => {
  const dropped = await curl("/api/v4/groups", "-H", "Prefer: apply-then-drop", "-d", "name=kept&path=kept");
  expect(dropped).toEqual({ end: "closed", text: "" });
  expect(JSON.parse((await curl("/api/v4/groups/kept")).text)).toMatchObject({ path: "kept" });
  const gone = await curl("/api/v4/groups/kept", "-H", "Prefer: apply-then-drop", "-X", "DELETE");
  expect(gone).toEqual({ end: "closed", text: "" });
});

test.skipIf(missing !== undefined)("drop closes the connection of a HEAD, too", async () => {
  const dropped = await curl("/api/v4/version", "--head", "-H", "Prefer: drop");
  expect(dropped).toEqual({ end: "closed", text: "" });
});

test.skipIf(missing !== undefined)("truncate_after sends so many bytes of the body", async () => {
  await addFault({ match: { route: "/version" }, effect: { truncate_after: 10 } });
  const cut = await curl("/api/v4/version");
  await removeFaults();
  const whole = await curl("/api/v4/version");
  expect(cut).toEqual({ end: "closed", text: whole.text.slice(0, 10) });
  await addFault({ effect: { truncate_after: 10_000 } });
  expect(await curl("/api/v4/version")).toEqual(whole);
  await removeFaults();
});

test.skipIf(missing !== undefined)(
  "bytes_per_second is the pace of the body, and jitter_ms waits before it",
  async () => {
    const whole = await curl("/api/v4/version");
    await addFault({ effect: { bytes_per_second: 200, jitter_ms: 20 } });
    const startedAt = performance.now();
    expect(await curl("/api/v4/version")).toEqual(whole);
    expect(performance.now() - startedAt).toBeGreaterThan((whole.text.length / 200) * 1000 - 20);
    await removeFaults();
  },
);

test.skipIf(missing !== undefined)(
  "a code for a call with a body closes the connection that still has the body",
  async () => {
    const body = `name=${"a".repeat(200)}&path=late`;
    const { text } = await curl("/api/v4/groups", "-i", "-H", "Prefer: code=503", "-d", body);
    expect(text).toStartWith("HTTP/1.1 503 ");
    expect(text.toLowerCase()).toContain("connection: close");
  },
);

test("the server logs no error for connections that it closed on purpose", async () => {
  await outpost.stop();
  expect(outpost.stderr()).not.toMatch(/"level":"(error|warn)"/);
});
