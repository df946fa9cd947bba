import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { readHead, readRef } from "../../../src/git/refs.ts";
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
  const read = (ref: string) => readRef(path, `refs/heads/${ref}`);
  expect([await read("a/b"), await read("old"), await readRef(path, "refs/tags/v199")]).toEqual([
    loose,
    packed,
    packed,
  ]);
  expect([await read("a"), await read("a/b/c"), await read("none")]).toEqual([undefined, undefined, undefined]);
  expect(await readHead(path)).toBeUndefined();
  await writeFile(`${path}/HEAD`, "ref: refs/heads/a/b\n");
  expect(await readHead(path)).toBe("a/b");
});
