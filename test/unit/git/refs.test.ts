import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { ObjectCache } from "../../../src/git/objects/cache.ts";
import { ObjectReader } from "../../../src/git/objects/objects.ts";
import { filesOfRepository } from "../../../src/git/on-disk.ts";
import { RefFiles } from "../../../src/git/ref-files.ts";
import { Refs, readHead } from "../../../src/git/refs.ts";
import { until } from "../../support/process/fault-client.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const [loose, packed] = ["1".repeat(40), "2".repeat(40)];

test("a ref is found loose before packed, and not where a folder or another ref is in its place", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await mkdir(`${path}/refs/heads/a`, { recursive: true });
  await writeFile(`${path}/refs/heads/a/b`, `${loose}\n`);
  // More than a small file, so that it is read the other way.
  const many = Array.from({ length: 200 }, (_, at) => `${packed} refs/tags/v${at}`).join("\n");
  await writeFile(`${path}/packed-refs`, `${packed} refs/heads/a/b\n${packed} refs/heads/old\n${many}\n`);
  const refs = new Refs(path, new RefFiles());
  const read = (ref: string) => refs.read(`refs/heads/${ref}`);
  expect([await read("a/b"), await read("old"), await refs.read("refs/tags/v199")]).toEqual([loose, packed, packed]);
  expect([await read("a"), await read("a/b/c"), await read("none")]).toEqual([undefined, undefined, undefined]);
  expect(await new Refs(path, new RefFiles()).head()).toBeUndefined();
  await writeFile(`${path}/HEAD`, "ref: refs/heads/a/b\n");
  expect(await new Refs(path, new RefFiles()).head()).toBe("a/b");
});

test("each change of a ref or HEAD shows at once, whatever was read before", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await mkdir(`${path}/refs/heads`, { recursive: true });
  await writeFile(`${path}/packed-refs`, `${packed} refs/heads/main\n`);
  const refs = new Refs(path, new RefFiles());
  const read = () => Promise.all([refs.read("refs/heads/main"), refs.head()]);
  expect(await read()).toEqual([packed, undefined]);
  await refs.write("refs/heads/main", loose);
  await refs.setHead("main");
  expect(await read()).toEqual([loose, "main"]);
  await refs.write("refs/heads/main", packed);
  await refs.setHead("other");
  expect(await read()).toEqual([packed, "other"]);
  await refs.delete("refs/heads/main");
  expect(await read()).toEqual([undefined, "other"]);
});

test("a ref that is being changed is never older than the list of refs", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await mkdir(`${path}/refs/heads`, { recursive: true });
  const refs = new Refs(path, new RefFiles());
  const ref = "refs/heads/main";
  let isDone = false;
  const readers = Array.from({ length: 3 }, async () => {
    for (let last = -1; !isDone; ) {
      const listed = Number((await refs.list(ref.slice(0, 11))).get(ref) ?? 0);
      const read = Number((await refs.read(ref)) ?? 0);
      expect(listed).toBeGreaterThanOrEqual(last);
      expect(read).toBeGreaterThanOrEqual(listed);
      last = read;
    }
  });
  for (let count = 1; count <= 300; count += 1) await refs.write(ref, String(count).padStart(40, "0"));
  isDone = true;
  await Promise.all(readers);
});

test("a change of a ref by another program shows within a second", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const refs = new Refs(path, new RefFiles());
  expect(await refs.head()).toBeUndefined();
  await writeFile(`${path}/HEAD`, "ref: refs/heads/main\n");
  await until("the new HEAD shows", async () => (await refs.head()) === "main");
});

test("pipes in the places of refs, objects and packs are not opened", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  for (const each of ["refs/heads", "objects/11", "objects/pack"]) await mkdir(`${path}/${each}`, { recursive: true });
  const pipes = ["HEAD", "config", "packed-refs", "refs/heads/main", `objects/11/${"1".repeat(38)}`];
  for (const each of pipes) await Bun.$`mkfifo ${`${path}/${each}`}`;
  const refs = new Refs(path, new RefFiles());
  expect([await refs.head(), await refs.read("refs/heads/main"), await readHead(path)]).toEqual(
    Array(3).fill(undefined),
  );
  expect((await refs.list("refs/")).size).toBe(0);
  const objects = new ObjectReader(path, new ObjectCache(), async () => undefined);
  expect(await objects.find("1".repeat(40))).toBeUndefined();
  expect((await Array.fromAsync(filesOfRepository(path))).map(({ name }) => name)).toEqual([]);
  await Bun.$`mkfifo ${`${path}/objects/pack/pack-1.idx`}`;
  await expect(objects.find("2".repeat(40))).rejects.toThrow("pack-1.idx is not a regular file");
});
