import { expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ObjectCache } from "../../../src/git/objects/cache.ts";
import { ObjectReader, packObject } from "../../../src/git/objects/objects.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test.each([0, 1, 1_000, 5_000_000])("the size of a file of %p bytes is known without its content", async (size) => {
  await using folder = await createTempFolder();
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)));
  const content = new Uint8Array(size).map((_, at) => bytes[at % bytes.length] as number);
  const { oid, deflated } = await packObject("blob", content);
  await mkdir(join(folder.path, "objects", oid.slice(0, 2)), { recursive: true });
  // The rest of the object may be anything: nobody reads it.
  await writeFile(join(folder.path, "objects", oid.slice(0, 2), oid.slice(2)), deflated.subarray(0, 600));
  expect(await new ObjectReader(folder.path, new ObjectCache(), async () => undefined).blobSize(oid)).toBe(size);
});

test("a file that is not there has no size", async () => {
  await using folder = await createTempFolder();
  const objects = new ObjectReader(folder.path, new ObjectCache(), async () => undefined);
  await expect(objects.blobSize("0".repeat(40))).rejects.toThrow("is gone");
});

test("the id of a large file is not that of a commit, a tag or a tree", async () => {
  await using folder = await createTempFolder();
  const { oid, deflated } = await packObject("blob", new Uint8Array(2_000_000));
  await mkdir(`${folder.path}/objects/${oid.slice(0, 2)}`, { recursive: true });
  await writeFile(`${folder.path}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflated);
  const objects = new ObjectReader(folder.path, new ObjectCache(), async () => undefined);
  expect([await objects.commit(oid), await objects.tag(oid), await objects.isTree(oid)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  const [bytes] = await objects.blobs([oid]);
  expect(bytes?.length).toBe(2_000_000);
});

test.each([
  [1_000, true],
  [65_536, true],
  [65_537, false],
])("a file of %p bytes that was read is in memory: %p", async (size, isCached) => {
  await using folder = await createTempFolder();
  const content = crypto.getRandomValues(new Uint8Array(65_537)).slice(0, size);
  const { oid, deflated } = await packObject("blob", content);
  const path = join(folder.path, "objects", oid.slice(0, 2), oid.slice(2));
  await mkdir(join(folder.path, "objects", oid.slice(0, 2)), { recursive: true });
  await writeFile(path, deflated);
  const cache = new ObjectCache();
  const objects = new ObjectReader(folder.path, cache, async () => undefined);
  expect(await objects.blobs([oid])).toEqual([content]);
  expect(cache.blobs.bytes > 0).toBe(isCached);
  await rm(path);
  if (isCached) expect(await objects.blobSize(oid)).toBe(size);
  else await expect(objects.blobSize(oid)).rejects.toThrow("is gone");
  if (isCached) expect(await objects.blobs([oid])).toEqual([content]);
  // Another repository does not show the file.
  const other = new ObjectReader(join(folder.path, "other"), cache, async () => undefined);
  await expect(other.blobSize(oid)).rejects.toThrow("is gone");
});
