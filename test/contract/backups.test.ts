import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../src/archive/index.ts";
import { rootToken, startWorld } from "../support/world.ts";

const world = await startWorld();

function backUp(token = rootToken) {
  return fetch(`${world.origin}/-/backup`, { method: "POST", headers: { "PRIVATE-TOKEN": token } });
}

test("an administrator gets an archive of everything, as it is made", async () => {
  const { id } = await world.user();
  await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Kept", initialize_with_readme: true },
  });
  const answer = await backUp();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/gzip");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="outpost-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz"$/,
  );
  const names: string[] = [];
  const manifest = await readArchive(answer.body as ReadableStream<Uint8Array>, {
    async file(place, _size, content) {
      names.push(`${place.kind} ${place.path.replace(/[0-9a-f]{38,}/g, "HASH")}`);
      for await (const _ of content);
    },
  });
  expect(manifest.journal_position).toBe(world.store.statistics().durableSequence);
  expect(manifest.files).toBe(names.length);
  expect(names).toContain("data manifest.json");
  expect(names.some((name) => name.endsWith("HASH.git/packed-refs"))).toBe(true);
  expect(names.filter((name) => /\.git\/objects\/..\/HASH$/.test(name))).toHaveLength(3);
  expect(names.filter((name) => name.includes("credentials") || name.endsWith("lock"))).toEqual([]);
  expect(id).toBeGreaterThan(1);
});

test("whoever stops reading leaves nothing behind, and nothing waits any more", async () => {
  const answer = await backUp();
  await answer.body?.cancel();
  const { body: project } = await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Goes", initialize_with_readme: true },
  });
  const deleted = await world.call("DELETE", `/projects/${project.id}`, { token: rootToken });
  expect(deleted.status).toBe(202);
  await world.jobsDone();
  const folder = join(world.context.repositories.storageFolders.get("default") as string, "../../snapshots");
  while ((await readdir(folder)).length > 0) await new Promise(setImmediate);
});

test("nobody else gets one", async () => {
  const person = await world.user();
  expect((await backUp(person.token)).status).toBe(403);
  expect((await fetch(`${world.origin}/-/backup`, { method: "POST" })).status).toBe(401);
});
