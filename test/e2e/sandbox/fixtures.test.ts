import { expect, test } from "bun:test";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contractExample, largeFixture } from "../../support/fixtures/fixtures.ts";
import { until } from "../../support/process/fault-client.ts";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const token = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: token, OUTPOST_ROOT_PASSWORD: "correct horse battery", OUTPOST_TOKEN: token };

async function call(origin: string, method: string, path: string, as = token) {
  const answer = await fetch(`${origin}${path}`, { method, headers: { "PRIVATE-TOKEN": as } });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const usernames = async (origin: string): Promise<string[]> =>
  (await call(origin, "GET", "/api/v4/users?sort=asc&order_by=id")).body.map(
    (user: { username: string }) => user.username,
  );

test("serve --fixture makes what it says at the first start, a reset brings it back, and a restart changes nothing", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "fixture.yaml");
  const dataFolder = join(folder.path, "data");
  await writeFile(file, contractExample);
  const args = ["--sandbox", "--fixture", file];
  let server = await startOutpost({ env, dataFolder, args });
  await server.saw("fixture      made 2 users, 2 groups, 1 project");
  expect(await usernames(server.origin)).toEqual(["root", "mara", "kofi"]);
  expect((await call(server.origin, "GET", "/api/v4/user", "mara-token-0000000001")).body.username).toBe("mara");
  expect((await call(server.origin, "DELETE", "/api/v4/users/3")).status).toBe(204);
  await server.kill();

  server = await startOutpost({ env, dataFolder, args });
  expect(await usernames(server.origin)).toEqual(["root", "mara", "ghost"]);
  expect((await call(server.origin, "POST", "/-/sandbox/reset")).status).toBe(204);
  expect(await usernames(server.origin)).toEqual(["root", "mara", "kofi"]);
  await server.stop();
  expect(server.stderr()).not.toContain("fixture      made");
});

test("a first start with a wrong fixture names every mistake, and the next one starts anew", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "fixture.yaml");
  const dataFolder = join(folder.path, "data");
  const serve = ["serve", "--sandbox", "--port", "0", "--data", dataFolder, "--fixture", file];
  await writeFile(file, "users: [{ username: mara, admn: true }, { username: kofi, admin: 7 }]\n");
  const wrong = await runOutpost(serve, { env });
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    `outpost: ${file}: the fixture has 2 mistakes
  line 1, column 27: users[0].admn: is not a key here; the nearest is admin
  line 1, column 66: users[1].admin: admin is invalid
try: outpost fixture check ${file}
`,
  ]);
  // Only the operation knows that the name is too short: root and mara are there by then.
  await writeFile(file, "users: [{ username: mara }, { username: k }]\n");
  const refused = await runOutpost(serve, { env });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("username is too short")]);
  await writeFile(file, contractExample);
  const server = await startOutpost({ env, dataFolder, args: ["--sandbox", "--fixture", file] });
  expect(await usernames(server.origin)).toEqual(["root", "mara", "kofi"]);
  await server.stop();
});

/** The bytes of all files below a folder. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return size;
}

test("a server that is killed in the midst of a fixture has nothing of it after the next start", async () => {
  await using folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  let server = await startOutpost({ env, dataFolder, args: ["--sandbox"] });
  expect((await call(server.origin, "POST", "/-/sandbox/reset")).status).toBe(204);
  const before = await sizeOf(dataFolder);
  const users = Array.from({ length: 5_000 }, (_, at) => `  - { username: user${at}, bio: "${"x".repeat(100)}" }`);
  const body = `users:\n${users.join("\n")}\n`;
  const headers = { "PRIVATE-TOKEN": token };
  const cutOff = fetch(`${server.origin}/-/sandbox/fixtures`, { method: "POST", headers, body }).then(
    ({ status }) => status,
    () => "cut off",
  );
  await until("some users are on disk", async () => (await sizeOf(dataFolder)) > before + 100_000);
  await server.kill();
  expect(await cutOff).toBe("cut off");
  server = await startOutpost({ env, dataFolder, args: ["--sandbox"] });
  expect(await usernames(server.origin)).toEqual(["root"]);
  expect((await call(server.origin, "GET", "/-/sandbox/checkpoints")).body).toEqual([]);
  await server.stop();
});

test("--fixture needs a sandbox and a file that can be read", async () => {
  const ordinary = await runOutpost(["serve", "--fixture", "fixture.yaml"], { env });
  expect([ordinary.exitCode, ordinary.stderr]).toEqual([2, expect.stringContaining("--fixture requires --sandbox")]);
  await using folder = await createTempFolder();
  const missing = join(folder.path, "none.yaml");
  const args = ["serve", "--sandbox", "--port", "0", "--data", join(folder.path, "data"), "--fixture", missing];
  const unread = await runOutpost(args, { env });
  expect([unread.exitCode, unread.stderr]).toEqual([2, expect.stringContaining("the fixture cannot be read")]);
});

test("fixture check needs no store, and its exit code says whether the file is good", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "fixture.yaml");
  const check = (...flags: string[]) => runOutpost(["fixture", "check", file, ...flags], { cwd: folder.path });
  await writeFile(file, largeFixture);
  const good = await check();
  expect([good.exitCode, good.stdout, good.stderr]).toEqual([
    0,
    `${file} is good: 3 users, 3 groups, 3 projects\n`,
    "",
  ]);
  expect(JSON.parse((await check("--json")).stdout)).toEqual({ users: 3, groups: 3, projects: 3, mistakes: [] });
  // An edition that has no epics does not know the key.
  const older = await check("--edition", "community");
  expect([older.exitCode, older.stderr]).toEqual([2, expect.stringContaining("groups[1].epics: is not a key here")]);
  await writeFile(file, "users: [{ username: mara, name: [x] }]\n");
  const bad = await check();
  expect([bad.exitCode, bad.stdout, bad.stderr]).toEqual([
    2,
    "",
    `outpost: ${file}: the fixture has a mistake\n  line 1, column 33: users[0].name: name is invalid\ntry: outpost help fixtures\n`,
  ]);
  const asJson = await check("--json");
  expect([asJson.exitCode, JSON.parse(asJson.stdout)]).toEqual([
    2,
    { mistakes: [{ line: 1, column: 33, path: "users[0].name", message: "name is invalid" }] },
  ]);
});

test("fixture export writes the same of a running server and of its store, as YAML and as JSON, and a start takes it", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "fixture.yaml");
  const dataFolder = join(folder.path, "data");
  await writeFile(file, largeFixture);
  const server = await startOutpost({ env, dataFolder, args: ["--sandbox", "--fixture", file] });
  const live = await runOutpost(["fixture", "export", "--data", dataFolder], { env });
  expect([live.exitCode, live.stderr]).toEqual([0, ""]);
  await server.stop();
  const out = join(folder.path, "exported.yaml");
  const stopped = await runOutpost(["fixture", "export", "--data", dataFolder, "--out", out], { env });
  expect([stopped.exitCode, stopped.stdout]).toEqual([0, ""]);
  expect(await readFile(out, "utf8")).toBe(live.stdout);
  const json = await runOutpost(["fixture", "export", "--data", dataFolder, "--json"], { env });
  expect(JSON.parse(json.stdout)).toEqual(Bun.YAML.parse(live.stdout));
  const again = await startOutpost({
    env,
    dataFolder: join(folder.path, "other"),
    args: ["--sandbox", "--fixture", out],
  });
  const exported = await runOutpost(["fixture", "export", "--data", join(folder.path, "other")], { env });
  expect(exported.stdout).toBe(live.stdout);
  await again.stop();
});
