import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" };
const headers = { "PRIVATE-TOKEN": rootToken };
const mebibyte = 1 << 20;

/** `count` mebibytes; `until` is awaited before the last of them. */
function pieces(count: number, until: Promise<void> = Promise.resolve()): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(mebibyte).fill(7);
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      sent += 1;
      if (sent === count) await until;
      controller.enqueue(piece);
      if (sent === count) controller.close();
    },
  });
}

async function makeProject(origin: string): Promise<void> {
  const json = { ...headers, "Content-Type": "application/json" };
  const body = JSON.stringify({ path: "ledger" });
  const { status } = await fetch(`${origin}/api/v4/projects`, { method: "POST", headers: json, body });
  expect(status).toBe(201);
}

const at = (origin: string, version: string) => `${origin}/api/v4/projects/1/packages/generic/app/${version}/app.bin`;
const upload = (origin: string, version: string, body: ReadableStream<Uint8Array>) =>
  fetch(at(origin, version), { method: "PUT", headers, body });

test("a large file is written to disk while it arrives, and memory does not grow with it", async () => {
  await using outpost = await startOutpost({ env });
  await makeProject(outpost.origin);
  const peak = () => {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${outpost.pid}/status`, "utf8"));
    return Number(line?.[1]) / 1024;
  };
  expect((await upload(outpost.origin, "0.1", pieces(8))).status).toBe(201);
  const before = peak();
  expect((await upload(outpost.origin, "1.0", pieces(256))).status).toBe(201);
  const got = await fetch(at(outpost.origin, "1.0"), { headers });
  expect(got.headers.get("content-length")).toBe(String(256 * mebibyte));
  await got.body?.cancel();
  expect(peak() - before).toBeLessThan(96);
}, 180_000);

test("an upload that kill -9 interrupts leaves nothing, and acknowledged ones are stored", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  const blobs = join(dataFolder, "generations/0001/blobs");
  const parts = () => readdirSync(blobs).filter((name) => name.endsWith(".tmp"));
  {
    await using outpost = await startOutpost({ env, dataFolder });
    await makeProject(outpost.origin);
    expect((await upload(outpost.origin, "1.0", pieces(2))).status).toBe(201);
    const never = new Promise<void>(() => {});
    const cutOff = upload(outpost.origin, "2.0", pieces(8, never)).catch(() => undefined);
    while (parts().length === 0) await Bun.sleep(5);
    await outpost.kill();
    expect(await cutOff).toBeUndefined();
    expect(parts()).toHaveLength(1);
  }
  await using outpost = await startOutpost({ env, dataFolder });
  expect(parts()).toEqual([]);
  expect((await (await fetch(at(outpost.origin, "1.0"), { headers })).bytes()).byteLength).toBe(2 * mebibyte);
  expect((await fetch(at(outpost.origin, "2.0"), { headers })).status).toBe(404);
  const list = await fetch(`${outpost.origin}/api/v4/projects/1/packages`, { headers });
  expect(await list.json()).toMatchObject([{ version: "1.0" }]);
}, 180_000);
