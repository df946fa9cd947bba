import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { checkRepository, filesOf, git, makeProject } from "../ci/triggers-and-pipelines/setting.ts";

const world = await startWorld();
const below = (folders: number) => `${"a/".repeat(folders)}f`;

test("a new file has at most 64 folders above it", async () => {
  const { id } = await makeProject(world);
  const files = filesOf(world, id, rootToken);
  const { status, body } = await files.create(below(65));
  expect([status, body]).toEqual([400, { error: "file_path may have at most 64 folders" }]);
  expect((await files.create(below(64))).status).toBe(201);
  expect((await files.change(below(64))).status).toBe(200);
  await checkRepository(world, id);
});

test("a file of a snippet has at most 64 folders above it", async () => {
  const send = (method: string, path: string, json: object) => world.call(method, path, { token: rootToken, json });
  const json = (folders: number) => ({
    title: "T",
    files: Array.from({ length: 10 }, (_, at) => ({ file_path: `t${at}/${below(folders - 1)}`, content: `${at}` })),
  });
  const refused = await send("POST", "/snippets", json(65));
  expect([refused.status, refused.body]).toEqual([400, { message: { file_path: ["may have at most 64 folders"] } }]);
  const { status, body } = await send("POST", "/snippets", json(64));
  expect(status).toBe(201);
  const moved = { action: "move", previous_path: `t0/${below(63)}`, file_path: below(65) };
  expect((await send("PUT", `/snippets/${body.id}`, { files: [moved] })).status).toBe(400);
  const folder = world.context.repositories.folderOf({ kind: "snippet", id: body.id, storage: "default" });
  await git(["-C", folder, "fsck", "--full", "--strict"]);
  expect((await git(["-C", folder, "ls-tree", "-r", "--name-only", "main"])).split("\n")).toHaveLength(11);
});
