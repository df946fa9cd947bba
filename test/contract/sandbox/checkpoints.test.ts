import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { rootToken, startWorld, type World } from "../../support/fixtures/world.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const folder = await createTempFolder();
const world = await startWorld({ sandbox: true, dataFolder: folder.path });
await world.rootPasswordStored();

const asRoot = (method: string, path: string, json?: object, of: World = world) =>
  of.call(method, path, { token: rootToken, ...(json === undefined ? {} : { json }) });
const checkpoint = (method: string, name: string, rest = "") => asRoot(method, `/-/sandbox/checkpoints/${name}${rest}`);

/** The bodies of calls that show a state; the clock of the world stands still. */
async function shown(): Promise<string[]> {
  const paths = ["/users", "/projects?statistics=true", "/groups", "/issues?scope=all", "/audit_events", "/-/outbox"];
  const answers = [];
  for (const path of paths) answers.push((await asRoot("GET", path)).text);
  return answers;
}

const isBlob = (path: string) => /(?:^|\/)blobs\/\w\w\/\w{64}$/.test(path);

let projects = 0;

/** A project with a file, an issue and a member; its id. */
async function fill(): Promise<number> {
  projects += 1;
  const { body: project } = await asRoot("POST", "/projects", { name: `p${projects}`, initialize_with_readme: true });
  const person = await world.user();
  await asRoot("POST", `/projects/${project.id}/members`, { user_id: person.id, access_level: 40 });
  await asRoot("POST", `/projects/${project.id}/issues`, { title: "Too blue", assignee_ids: [person.id] });
  await world.jobsDone();
  return project.id;
}

const fileOf = async (project: number, path: string) =>
  (await asRoot("GET", `/projects/${project}/repository/files/${path}/raw?ref=main`)).text;
const commitFile = (project: number, path: string, content: string) =>
  asRoot("POST", `/projects/${project}/repository/files/${path}`, { branch: "main", content, commit_message: "add" });

test("every answer says that the server is a sandbox, and that of another does not", async () => {
  const ordinary = await startWorld();
  for (const path of ["/version", "/nowhere", "/-/liveness", "/-/sandbox/checkpoints"]) {
    expect((await asRoot("GET", path)).headers.get("x-outpost-sandbox")).toBe("true");
    expect((await asRoot("GET", path, undefined, ordinary)).headers.get("x-outpost-sandbox")).toBeNull();
  }
});

describe("a checkpoint", () => {
  test("is created, listed, shown, replaced and deleted", async () => {
    const made = await checkpoint("PUT", "a.B_1-");
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      name: "a.B_1-",
      position: expect.any(Number),
      created_at: new Date(world.clock.now()).toISOString(),
      documents: expect.any(Number),
    });
    expect((await checkpoint("GET", "a.B_1-")).body).toEqual(made.body);
    await world.user();
    const replaced = (await checkpoint("PUT", "a.B_1-")).body;
    expect(replaced.position).toBeGreaterThan(made.body.position);
    expect(replaced.documents).toBeGreaterThan(made.body.documents);
    expect((await asRoot("GET", "/-/sandbox/checkpoints")).body).toEqual([replaced]);
    expect((await checkpoint("DELETE", "a.B_1-")).status).toBe(204);
    expect((await asRoot("GET", "/-/sandbox/checkpoints")).body).toEqual([]);
  });

  test.each(["", "a b", "a/b", "é", "x".repeat(65), "a%00"])("with the name %p is refused", async (name) => {
    const { status } = await checkpoint("PUT", encodeURIComponent(name));
    expect([400, 404, 405]).toContain(status);
  });

  test("that does not exist is 404 for every call but PUT", async () => {
    for (const [method, rest] of [["GET"], ["DELETE"], ["POST", "/restore"]]) {
      expect((await checkpoint(method as string, "none", rest)).body).toEqual({ message: "404 Checkpoint Not Found" });
    }
  });
});

describe("a restore", () => {
  test("brings back documents, logs, files of repositories, tokens and ids, and keeps the checkpoint", async () => {
    const project = await fill();
    const { id: userId } = await world.user();
    const kept = await world.token(userId);
    await checkpoint("PUT", "before");
    const before = await shown();
    const readme = await fileOf(project, "README.md");

    for (let turn = 0; turn < 2; turn += 1) {
      const later = await world.token(userId);
      const added = await fill();
      expect((await commitFile(project, "new.txt", "new")).status).toBe(201);
      expect(await fileOf(project, "new.txt")).toBe("new");
      await asRoot("PUT", `/projects/${project}`, { name: "renamed", path: "renamed" });
      if (turn === 1) {
        await asRoot("DELETE", `/projects/${project}`);
        await world.jobsDone();
        expect((await asRoot("GET", `/projects/${project}`)).status).toBe(404);
      }

      expect((await checkpoint("POST", "before", "/restore")).status).toBe(204);
      expect(await shown()).toEqual(before);
      expect(await fileOf(project, "README.md")).toBe(readme);
      expect(await fileOf(project, "new.txt")).toContain("404");
      expect((await asRoot("GET", `/projects/${added}`)).status).toBe(404);
      expect((await world.call("GET", "/user", { token: kept.token })).status).toBe(200);
      expect((await world.call("GET", "/user", { token: later.token })).status).toBe(401);
      expect((await asRoot("GET", "/-/sandbox/checkpoints")).body.map(({ name }: { name: string }) => name)).toEqual([
        "before",
      ]);
    }
    expect((await commitFile(project, "new.txt", "again")).status).toBe(201);
    expect(await fileOf(project, "new.txt")).toBe("again");
  });

  test("drops later checkpoints, and an earlier one can still be restored", async () => {
    const first = await fill();
    await checkpoint("PUT", "one");
    const atOne = await shown();
    await commitFile(first, "one.txt", "1");
    await checkpoint("PUT", "two");
    const atTwo = await shown();
    await commitFile(first, "two.txt", "2");
    await checkpoint("PUT", "three");
    await commitFile(first, "three.txt", "3");
    await checkpoint("DELETE", "two");
    await checkpoint("PUT", "four");
    expect((await checkpoint("POST", "three", "/restore")).status).toBe(204);
    expect((await checkpoint("GET", "four")).status).toBe(404);
    expect([await fileOf(first, "two.txt"), await fileOf(first, "three.txt")]).toEqual([
      "2",
      expect.stringContaining("404"),
    ]);
    expect(await shown()).not.toEqual(atTwo);
    await checkpoint("POST", "one", "/restore");
    expect(await shown()).toEqual(atOne);
    expect(await fileOf(first, "one.txt")).toContain("404");
  });

  test("waits for requests under way, and those that come meanwhile wait for it", async () => {
    await checkpoint("PUT", "still");
    const before = await shown();
    const calls = Array.from({ length: 40 }, (_, at) =>
      at === 20
        ? checkpoint("POST", "still", "/restore")
        : asRoot("POST", "/projects", { name: `many ${at}`, initialize_with_readme: true }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 204)).toEqual([]);
    await world.jobsDone();
    expect((await checkpoint("POST", "still", "/restore")).status).toBe(204);
    expect(await shown()).toEqual(before);
  });
});

test("a restore brings back the bytes of a file whose package was deleted, and those of a later one go", async () => {
  await asRoot("PUT", "/-/sandbox/clock", { frozen: true });
  const project = await fill();
  const path = (version: number) => `/projects/${project}/packages/generic/pump/${version}.0/pump.bin`;
  const upload = (version: number, text: string) =>
    world.call("PUT", path(version), { token: rootToken, raw: new TextEncoder().encode(text.repeat(100)) });
  const files = async () => (await readdir(folder.path, { recursive: true })).filter(isBlob).length;
  expect((await upload(1, "kept")).status).toBe(201);
  const before = await files();
  await checkpoint("PUT", "bytes");
  const [kept] = (await asRoot("GET", `/projects/${project}/packages`)).body;
  expect((await asRoot("DELETE", `/projects/${project}/packages/${kept.id}`)).status).toBe(204);
  expect((await upload(2, "later")).status).toBe(201);
  // Files that nobody names are swept away by and by.
  await asRoot("PUT", "/-/sandbox/clock", { advance: "P3D" });
  expect(await files()).toBe(before + 1);
  expect((await checkpoint("POST", "bytes", "/restore")).status).toBe(204);
  expect((await asRoot("GET", path(1))).text).toBe("kept".repeat(100));
  expect((await asRoot("GET", path(2))).status).toBe(404);
  await asRoot("PUT", "/-/sandbox/clock", { advance: "P3D" });
  expect(await files()).toBe(before);
});

test("a reset brings back the first start: the root token and password work, everything else is gone", async () => {
  const project = await fill();
  await checkpoint("PUT", "gone");
  expect((await asRoot("POST", "/-/sandbox/reset")).status).toBe(204);
  expect((await asRoot("GET", "/users")).body.map(({ username }: { username: string }) => username)).toEqual(["root"]);
  expect((await asRoot("GET", `/projects/${project}`)).status).toBe(404);
  expect((await asRoot("GET", "/-/sandbox/checkpoints")).body).toEqual([]);
  const created = await asRoot("POST", "/projects", { name: "first", initialize_with_readme: true });
  expect([created.status, created.body.id]).toEqual([201, 1]);
  await asRoot("POST", "/-/sandbox/reset");
  expect((await asRoot("POST", "/projects", { name: "first" })).body.id).toBe(1);
});
