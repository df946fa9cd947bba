import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery" };
const sandbox = ["--sandbox"];

async function call(origin: string, method: string, path: string, form: Record<string, string> = {}) {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token },
    ...(method === "GET" ? {} : { body: new URLSearchParams(form) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const projects = async (origin: string): Promise<string[]> =>
  (await call(origin, "GET", "/api/v4/projects")).body.map(({ path }: { path: string }) => path);
const createProject = (origin: string, name: string) =>
  call(origin, "POST", "/api/v4/projects", { name, initialize_with_readme: "true" });

test("checkpoints, changes since and the clock outlive kill -9 and a start without the flag", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  let server = await startOutpost({ env, dataFolder, args: sandbox });
  await createProject(server.origin, "one");
  expect((await call(server.origin, "PUT", "/-/sandbox/checkpoints/base")).status).toBe(201);
  await createProject(server.origin, "two");
  await call(server.origin, "PUT", "/-/sandbox/clock", { advance: "P30D" });
  await server.kill();

  server = await startOutpost({ env, dataFolder });
  await server.saw("off: its clock, faults and checkpoints need --sandbox");
  const { status, headers } = await call(server.origin, "GET", "/-/sandbox/checkpoints");
  expect([status, headers.get("x-outpost-sandbox")]).toEqual([404, null]);
  await createProject(server.origin, "three");
  await server.stop();

  server = await startOutpost({ env, dataFolder, args: sandbox });
  expect(await projects(server.origin)).toEqual(["three", "two", "one"]);
  const clock = (await call(server.origin, "GET", "/-/sandbox/clock")).body;
  expect(clock.offset_ms).toBeGreaterThan(29.9 * 86_400_000);
  expect((await call(server.origin, "POST", "/-/sandbox/checkpoints/base/restore")).status).toBe(204);
  expect(await projects(server.origin)).toEqual(["one"]);
  await server.kill();

  server = await startOutpost({ env, dataFolder, args: sandbox });
  expect(await projects(server.origin)).toEqual(["one"]);
  expect((await call(server.origin, "POST", "/-/sandbox/reset")).status).toBe(204);
  expect(await projects(server.origin)).toEqual([]);
  await server.stop();
  const check = await runOutpost(["check", "--data", dataFolder]);
  expect([check.exitCode, check.stdout]).toEqual([0, expect.stringContaining("is sound")]);
});

test("a body that comes slowly does not hold up a checkpoint or a restore", async () => {
  await using server = await startOutpost({ env, args: sandbox });
  await call(server.origin, "PUT", "/-/sandbox/checkpoints/base");
  let send: (rest: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const put = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      put(`name=slow&junk=${"x".repeat(100_000)}`);
      send = (rest) => {
        put(rest);
        controller.close();
      };
    },
  });
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/x-www-form-urlencoded" };
  const slow = fetch(`${server.origin}/api/v4/projects`, { method: "POST", headers, body });
  await createProject(server.origin, "other");
  expect((await call(server.origin, "PUT", "/-/sandbox/checkpoints/more")).status).toBe(201);
  expect((await call(server.origin, "POST", "/-/sandbox/checkpoints/base/restore")).status).toBe(204);
  send("&path=slow");
  expect((await slow).status).toBe(201);
  expect(await projects(server.origin)).toEqual(["slow"]);
});

const memoryFolder = "/dev/shm";
/** The folder of a server with `--memory`, from its first lines. */
async function folderInMemory(server: OutpostProcess): Promise<string> {
  await server.saw("stop");
  const [, folder = ""] = /sandbox +in memory, (\S+)\/data /.exec(server.stderr()) ?? [];
  expect(dirname(folder)).toBe(memoryFolder);
  return folder;
}

describe.skipIf(!existsSync(memoryFolder))("--memory", () => {
  test("serves a new sandbox, writes nothing to the working folder, and leaves nothing", async () => {
    await using work = await createTempFolder();
    const server = await startOutpost({ env, inMemory: true, cwd: work.path });
    const folder = await folderInMemory(server);
    expect((await createProject(server.origin, "one")).status).toBe(201);
    const { headers } = await call(server.origin, "GET", "/-/sandbox/clock");
    expect(headers.get("x-outpost-sandbox")).toBe("true");
    expect((await call(server.origin, "POST", "/-/sandbox/reset")).status).toBe(204);
    expect(await projects(server.origin)).toEqual([]);
    expect((await server.stop()).exitCode).toBe(0);
    expect([existsSync(folder), await readdir(work.path)]).toEqual([false, []]);
  });

  test("a later start removes what a killed server left, and leaves that of a running one", async () => {
    const running = await startOutpost({ env, inMemory: true });
    const killed = await startOutpost({ env, inMemory: true });
    const folders = [await folderInMemory(running), await folderInMemory(killed)];
    await killed.kill();
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const folder of folders) await utimes(folder, hourAgo, hourAgo);
    const later = await startOutpost({ env, inMemory: true });
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, false]);
    expect((await createProject(running.origin, "still")).status).toBe(201);
    expect(await projects(later.origin)).toEqual([]);
    // A killed server would leave its folder to the next start.
    await Promise.all([running.stop(), later.stop()]);
  });

  test("excludes a data folder, and storages with folders", async () => {
    expect(await runOutpost(["serve", "--memory", "--data", "data"])).toMatchObject({
      exitCode: 2,
      stderr: "outpost: --memory and --data exclude each other\ntry: outpost serve --memory\n",
    });
    expect(await runOutpost(["serve", "--memory", "--repository-storages", "fast=/srv/fast"])).toMatchObject({
      exitCode: 2,
      stderr:
        "outpost: --memory and folders of --repository-storages exclude each other\ntry: outpost serve --memory\n",
    });
  });
});

test("--sandbox refuses a store that is none, --rng-seed a server that is none", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  await (await startOutpost({ env, dataFolder })).stop();
  const flags = ["serve", "--port", "0", "--data", dataFolder];
  const refused = await runOutpost([...flags, "--sandbox"], { env });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("is no sandbox, and cannot become")]);
  const seeded = await runOutpost([...flags, "--rng-seed", "7"], { env });
  expect([seeded.exitCode, seeded.stderr]).toEqual([2, expect.stringContaining("--rng-seed requires --sandbox")]);
  await (await startOutpost({ env, dataFolder })).stop();
});

for (const isSandbox of [true, false]) {
  test(`a restored archive of ${isSandbox ? "a sandbox is one" : "an ordinary store is none"}`, async () => {
    await using folder = await createTempFolder();
    const [archive, restored] = [join(folder.path, "a.tar.gz"), join(folder.path, "restored")];
    const args = isSandbox ? sandbox : [];
    const server = await startOutpost({ env, args });
    await createProject(server.origin, "kept");
    if (isSandbox) await call(server.origin, "PUT", "/-/sandbox/checkpoints/base");
    const answer = await fetch(`${server.origin}/-/backup`, { method: "POST", headers: { "PRIVATE-TOKEN": token } });
    expect(answer.status).toBe(200);
    await Bun.write(archive, answer);
    await server.stop();
    expect((await runOutpost(["restore", archive, "--data", restored])).exitCode).toBe(0);

    const flags = ["serve", "--port", "0", "--data", restored, "--sandbox"];
    if (!isSandbox) {
      expect((await runOutpost(flags, { env })).exitCode).toBe(2);
      return;
    }
    await using again = await startOutpost({ env, dataFolder: restored, args });
    await createProject(again.origin, "later");
    await call(again.origin, "POST", "/-/sandbox/checkpoints/base/restore");
    expect(await projects(again.origin)).toEqual(["kept"]);
  });
}
