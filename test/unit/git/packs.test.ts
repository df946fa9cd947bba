import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { $ } from "bun";
import { ObjectCache } from "../../../src/git/objects/cache.ts";
import { ObjectReader } from "../../../src/git/objects/objects.ts";
import { copyingDelta, oidOf, type PackedObject, sevenBits, writePack } from "../../support/disk/pack-files.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const mebibyte = 1 << 20;
const readerOf = (folder: string) => new ObjectReader(folder, new ObjectCache(), async () => undefined);
const fakeOid = (at: number) => at.toString(16).padStart(40, "0");

/** Not `rejects`, which runs the event loop inside of a turn of it: work that gives way would never go on. */
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing",
    (error: Error) => error.message,
  );

function blob(bytes: Uint8Array): PackedObject {
  return { oid: oidOf("blob", bytes), type: "blob", bytes };
}

/** A folder with one pack. */
async function packed(...objects: readonly PackedObject[]) {
  const folder = await createTempFolder();
  writePack(folder.path, objects);
  return { objects: readerOf(folder.path), [Symbol.asyncDispose]: () => folder.remove() };
}

describe("what git packed", () => {
  test.each([
    ["offsets", "true"],
    ["ids", "false"],
  ])("is read as git reads it, where deltas name their bases by %s", async (_, offsets) => {
    await using folder = await createTempFolder();
    const at = folder.path;
    const git = (...args: readonly string[]) =>
      $`git -C ${at} -c user.name=a -c user.email=a@b.example -c repack.useDeltaBaseOffset=${offsets} ${args}`
        .quiet()
        .text();
    await git("init", "--quiet");
    const lines: string[] = Array.from({ length: 3_000 }, () => crypto.randomUUID());
    for (let version = 0; version < 30; version += 1) {
      lines[100 * version] = `version ${version}`;
      await writeFile(`${at}/lines.txt`, lines.join("\n"));
      await writeFile(`${at}/${version}.txt`, `${version}`);
      await git("add", ".");
      await git("commit", "--quiet", "-m", `Version ${version}`);
    }
    await git("tag", "-a", "-m", "All", "v1");
    await git("repack", "-a", "-d", "-f", "--depth=50");
    await git("prune-packed");
    const listed = await git("cat-file", "--batch-all-objects", "--batch-check");
    const objects = readerOf(`${at}/.git`);
    let deltas = 0;
    for (const line of listed.trim().split("\n")) {
      const [oid = "", type = "", size = ""] = line.split(" ");
      const found = await objects.find(oid);
      expect([found?.type, found?.size]).toEqual([type as "blob", Number(size)]);
      expect(oidOf(type, (await found?.read()) ?? Buffer.alloc(0))).toBe(oid);
      expect(await objects.expand(oid.slice(0, 16))).toBe(oid);
      if (found?.isDelta === true) deltas += 1;
    }
    expect(deltas).toBeGreaterThan(20);
    expect(await objects.find(fakeOid(1))).toBeUndefined();
  });
});

describe("a packed file", () => {
  test("comes in pieces when it is large, and its size is known first", async () => {
    const large = blob(new Uint8Array(40 * mebibyte));
    await using repository = await packed(large, blob(Buffer.from("small")));
    const { objects } = repository;
    expect(await objects.blobSize(large.oid)).toBe(40 * mebibyte);
    const content = await objects.content(large.oid);
    if (content instanceof Uint8Array) throw new Error("the file came whole");
    let [bytes, most] = [0, 0];
    for (let piece = await content.next(); piece !== undefined; piece = await content.next()) {
      bytes += piece.length;
      most = Math.max(most, piece.length);
    }
    expect(bytes).toBe(40 * mebibyte);
    expect(most).toBeLessThan(mebibyte);
    expect(await refusalOf(objects.blobs([large.oid]))).toContain("has more than 32 MiB");
  });

  test("that says a smaller size than it has is not unpacked beyond it", async () => {
    const bytes = new Uint8Array(3 * mebibyte);
    const small = { oid: fakeOid(1), type: "blob", bytes, size: 10 } as const;
    const large = { oid: fakeOid(2), type: "blob", bytes, size: 2 * mebibyte } as const;
    await using repository = await packed(small, large);
    const { objects } = repository;
    expect(await refusalOf(objects.blobs([small.oid]))).not.toBe("nothing");
    const content = await objects.content(large.oid);
    if (content instanceof Uint8Array) throw new Error("the file came whole");
    const readAll = async () => {
      while ((await content.next()) !== undefined);
    };
    expect(await refusalOf(readAll())).toContain("another size than it says");
  });

  test.each([
    [1, 1],
    [8, 8],
    [9, undefined],
  ])("that is a delta of %p MiB is read whole up to 8 MiB", async (size, expected) => {
    const base = blob(new Uint8Array(size * mebibyte));
    const delta = { oid: fakeOid(1), type: "delta", base: base.oid, bytes: copyingDelta(size * mebibyte) } as const;
    await using repository = await packed(base, delta);
    const content = repository.objects.content(delta.oid);
    if (expected === undefined)
      expect(await refusalOf(content)).toContain("the file has more than 8 MiB, and is a delta in its pack");
    else expect((await content) as Uint8Array).toHaveLength(size * mebibyte);
  });
});

describe("refused before anything is unpacked is", () => {
  const bytes = Buffer.from("wind");
  const ends = blob(bytes);
  /** Deltas one of the other, the first one of `ends`. */
  const chain = (length: number): PackedObject[] =>
    Array.from({ length }, (_, at) => ({
      ...{ oid: fakeOid(at + 1), type: "delta" as const, bytes: copyingDelta(bytes.length) },
      base: at === 0 ? ends.oid : fakeOid(at),
    }));

  test("a chain of more than 512 deltas", async () => {
    await using repository = await packed(ends, ...chain(513));
    const [whole] = await repository.objects.blobs([fakeOid(512)]);
    expect(whole).toEqual(new Uint8Array(bytes));
    expect(await refusalOf(repository.objects.blobSize(fakeOid(513)))).toContain("is made from more than 512 deltas");
  });

  test("deltas of each other in a circle", async () => {
    const circle = [1, 2].map((at) => ({
      ...{ oid: fakeOid(at), type: "delta" as const, bytes: copyingDelta(4) },
      base: fakeOid(3 - at),
    }));
    await using repository = await packed(...circle);
    expect(await refusalOf(repository.objects.blobSize(fakeOid(1)))).toContain("is made from more than 512 deltas");
  });

  test("a delta of an object that no pack has", async () => {
    await using repository = await packed(...chain(1));
    expect(await refusalOf(repository.objects.blobSize(fakeOid(1)))).toContain("is a delta of one in another pack");
  });

  test("a delta that makes more than 32 MiB, or does not fit its base", async () => {
    const [large, other] = [
      Buffer.concat([sevenBits(4), sevenBits(2 ** 40)]),
      Buffer.concat([sevenBits(5), sevenBits(4)]),
    ].map((each, at) => ({ oid: fakeOid(at + 1), type: "delta" as const, base: ends.oid, bytes: each }));
    await using repository = await packed(ends, large as PackedObject, other as PackedObject);
    expect(await refusalOf(repository.objects.blobSize(fakeOid(1)))).toContain("is a delta of more than 32 MiB");
    expect(await refusalOf(repository.objects.blobSize(fakeOid(2)))).toContain("is damaged");
  });

  test.each(["commit", "tag", "tree"] as const)("a %s of 20 MiB", async (type) => {
    const large = { oid: fakeOid(1), type, bytes: new Uint8Array(20 * mebibyte) };
    await using repository = await packed(large);
    const read = type === "tree" ? repository.objects.tree(large.oid) : repository.objects[type](large.oid);
    expect(await refusalOf(read)).toContain(`the ${type} ${large.oid} has more than`);
  });
});

test("damaged deltas throw, whatever their bytes are", async () => {
  const base = blob(crypto.getRandomValues(new Uint8Array(300)));
  const deltas = Array.from({ length: 200 }, (_, at) => {
    const rest = crypto.getRandomValues(new Uint8Array(at % 40));
    const bytes = Buffer.concat([sevenBits(300), sevenBits(200), rest]);
    return { oid: fakeOid(at + 1), type: "delta" as const, base: base.oid, bytes };
  });
  await using repository = await packed(base, ...deltas);
  for (const { oid } of deltas) {
    const [whole] = await repository.objects.blobs([oid]).catch(() => [undefined]);
    if (whole !== undefined) expect(whole).toHaveLength(200);
  }
});
