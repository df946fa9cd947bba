import { expect, test } from "bun:test";
import { join } from "node:path";
import { runOutpost, startOutpost } from "../support/outpost-process.ts";
import { createTempFolder } from "../support/temp-folder.ts";

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
