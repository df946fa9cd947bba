import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { OidTable } from "../../../../src/git/packing/oid-table.ts";
import { PackWriter } from "../../../../src/git/packing/pack-writer.ts";
import { copy, delta, idDelta, insert, packOf, rawOid, whole } from "../../../support/git/raw-packs.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes } from "./setting.ts";

const folder = await createTempFolder();
afterAll(() => folder.remove());

const packs = 60;
const repository = join(folder.path, "many.git");
const oids: Buffer[] = [];
const openFiles = () => readdirSync("/dev/fd").length;

async function addPack(entries: readonly Buffer[]): Promise<void> {
  const { path } = await indexBytes(folder.path, packOf([...entries]), { repository });
  const name = `${repository}/objects/pack/pack-${readdirSync(`${repository}/objects/pack`).length}`;
  for (const ending of ["pack", "idx"]) renameSync(`${path}.${ending}`, `${name}.${ending}`);
}

describe("a repository of many packs", () => {
  beforeAll(async () => {
    mkdirSync(`${repository}/objects/pack`, { recursive: true });
    for (let at = 0; at < packs; at += 1) {
      const content = Buffer.from(`file ${at}`);
      oids.push(rawOid("blob", content));
      const more = Buffer.from(`file ${at}, and more`);
      oids.push(rawOid("blob", more));
      const change = delta(content.length, more.length, copy(0, content.length), insert(", and more"));
      await addPack([whole("blob", content), idDelta(rawOid("blob", content), change)]);
    }
  });

  test("has few of them open, and all its objects are read", async () => {
    const before = openFiles();
    {
      using store = new ObjectStore(repository);
      expect(store.packs).toHaveLength(packs);
      expect(openFiles()).toBe(before);
      for (const [at, oid] of oids.entries()) {
        expect(store.read(oid)?.content.toString()).toBe(`file ${at >> 1}${at % 2 === 0 ? "" : ", and more"}`);
      }
      expect(openFiles() - before).toBeLessThan(20);
    }
    expect(openFiles()).toBe(before);
  });

  test("is sent whole", async () => {
    using store = new ObjectStore(repository);
    const wanted = new OidTable();
    for (const oid of oids) wanted.add(oid);
    const pieces: Uint8Array[] = [];
    for await (const piece of new PackWriter(store, wanted, { hasOffsetDeltas: true }).pieces()) pieces.push(piece);
    expect(await indexBytes(folder.path, Buffer.concat(pieces))).toMatchObject({
      refusal: undefined,
      pack: { objects: oids.length },
    });
  });

  test("leaves no file open when the index of one is damaged", () => {
    const before = openFiles();
    writeFileSync(`${repository}/objects/pack/pack-damaged.idx`, "no index");
    for (let times = 0; times < 3; times += 1) {
      expect(() => new ObjectStore(repository)).toThrow("the index of a pack is damaged");
    }
    expect(openFiles()).toBe(before);
  });
});
