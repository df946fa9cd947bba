import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { knownCredentials, rootHeaders } from "../../support/process/fault-client.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const largeBytes = 300_000_000;
/** Others wait no longer than this while the file is read. */
const healthMsMax = 500;
/** Growth of the process while eight requests read the file. */
const growthMiBMax = 200;

let folder: TempFolder;
let outpost: OutpostProcess;

const git = (at: string, ...args: readonly string[]) =>
  $`git -C ${at} -c user.name=Mara -c user.email=mara@skylark.example ${args}`.quiet();

beforeAll(async () => {
  folder = await createTempFolder();
  const source = join(folder.path, "source");
  await mkdir(source);
  await git(source, "init", "--initial-branch", "main");
  await writeFile(join(source, "wind.bin"), new Uint8Array(largeBytes));
  await git(source, "add", ".");
  await git(source, "commit", "-m", "Measure the wind");
  const lines = Array.from({ length: 250_000 }, (_, at) => Bun.hash(`${at}`).toString(36).repeat(3));
  for (const version of ["one", "two", "three"]) {
    lines[1_000] = version;
    await writeFile(join(source, "lines.txt"), lines.join("\n"));
    await git(source, "add", ".");
    await git(source, "commit", "-m", `Version ${version}`);
    await git(source, "tag", version);
  }
  await git(source, "gc", "--quiet");
  const data = join(folder.path, "data");
  outpost = await startOutpost({ env: knownCredentials, dataFolder: data });
  await fetch(`${outpost.origin}/api/v4/projects`, {
    method: "POST",
    headers: { ...rootHeaders, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "anemometer", visibility: "public" }),
  });
  const args = ["repository", "import", "root/anemometer", source, "--data", data];
  const { exitCode, stderr } = await runOutpost(args, { env: knownCredentials });
  if (exitCode !== 0) throw new Error(stderr);
}, 120_000);
afterAll(async () => {
  await outpost[Symbol.asyncDispose]();
  await folder.remove();
});

const file = (ending: string, path = "wind.bin", ref = "main") =>
  `${outpost.origin}/api/v4/projects/root%2Fanemometer/repository/files/${path}${ending}?ref=${ref}`;

function residentMiB(): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${outpost.pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Reads an answer without keeping it, and says how many bytes it has. */
async function bytesOf(address: string): Promise<number> {
  let bytes = 0;
  for await (const piece of (await fetch(address)).body ?? []) bytes += piece.length;
  return bytes;
}

test.skipIf(process.platform !== "linux")(
  "others are answered quickly, and memory stays bounded, while eight strangers read a large packed file",
  async () => {
    const before = residentMiB();
    let areRead = false;
    const reads = Promise.all(Array.from({ length: 8 }, () => bytesOf(file("/raw")))).finally(() => {
      areRead = true;
    });
    let [slowestMs, mostMiB] = [0, before];
    while (!areRead) {
      const start = performance.now();
      expect((await fetch(`${outpost.origin}/-/health`)).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      mostMiB = Math.max(mostMiB, residentMiB());
    }
    expect(await reads).toEqual(Array.from({ length: 8 }, () => largeBytes));
    expect(slowestMs).toBeLessThan(healthMsMax);
    expect(mostMiB - before).toBeLessThan(growthMiBMax);
  },
  120_000,
);

test("a file that is too large for JSON is refused before it is unpacked", async () => {
  const before = performance.now();
  const answer = await fetch(file(""));
  expect([answer.status, await answer.json()]).toEqual([
    413,
    { message: "The file is larger than 16 MiB: its bytes are at .../raw" },
  ]);
  expect(performance.now() - before).toBeLessThan(healthMsMax);
});

test.each(["one", "two", "three"])("a large file that was a delta is served: version %s", async (version) => {
  const text = await (await fetch(file("/raw", "lines.txt", version))).text();
  expect(text.length).toBeGreaterThan(8 << 20);
  expect(text.split("\n")[1_000]).toBe(version);
});
