import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { installPack } from "../../../../src/git/install-pack.ts";
import { ObjectCache } from "../../../../src/git/objects/cache.ts";
import { deltaFileBytesMax } from "../../../../src/git/objects/limits.ts";
import { ObjectReader } from "../../../../src/git/objects/objects.ts";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { OidTable } from "../../../../src/git/packing/oid-table.ts";
import { PackWriter } from "../../../../src/git/packing/pack-writer.ts";
import { repack } from "../../../../src/git/work/repack.ts";
import { copy, delta, idDelta, insert, offsetDelta, packOf, rawOid, whole } from "../../../support/git/raw-packs.ts";
import { runGit, writeObject } from "../../../support/git/stock-git.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes } from "./setting.ts";

const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

const mebibyte = 1 << 20;
const copied = (length: number) =>
  Array.from({ length: Math.ceil(length / 0xff_ff_ff) }, (_, at) =>
    copy(at * 0xff_ff_ff, Math.min(0xff_ff_ff, length - at * 0xff_ff_ff)),
  );

/** Bytes that compress to half. */
function content(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at + 4 <= length; at += 8) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}

const base = content(34 * mebibyte, 1);
const added = content(17 * mebibyte, 2);
const second = Buffer.concat([base, added]);
const third = Buffer.concat([second.subarray(5), Buffer.from("end")]);
const small = third.subarray(33 * mebibyte, 33 * mebibyte + 3_000);
const oids = [base, second, third, small].map((bytes) => rawOid("blob", bytes));
const [baseOid, secondOid, thirdOid] = oids as [Buffer, Buffer, Buffer, Buffer];
const toSecond = delta(base.length, second.length, ...copied(base.length), insert(added));
const toThird = delta(
  second.length,
  third.length,
  ...copied(second.length - 5).map((_, at) =>
    copy(5 + at * 0xff_ff_ff, Math.min(0xff_ff_ff, second.length - 5 - at * 0xff_ff_ff)),
  ),
  insert("end"),
);
const toSmall = delta(third.length, small.length, copy(33 * mebibyte, 3_000));
/** The largest comes last: its deltas wait for it. */
const entries = [
  idDelta(thirdOid, toSmall),
  idDelta(secondOid, toThird),
  idDelta(baseOid, toSecond),
  whole("blob", base),
];
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function bare(name: string): Promise<string> {
  const at = `${folder.path}/${name}.git`;
  runGit(folder.path, ["init", "-q", "--bare", at]);
  return at;
}

async function read(reader: ObjectReader, oid: Buffer): Promise<string> {
  const found = await reader.content(oid.toString("hex"));
  if (found instanceof Uint8Array) return digest(found);
  const hash = createHash("sha256");
  for (let piece = await found.next(); piece !== undefined; piece = await found.next()) hash.update(piece);
  return hash.digest("hex");
}

describe.skipIf(missing !== undefined)("deltas of large files", () => {
  test("are made in a file, get the index that git gives them, and can be read and sent afterwards", async () => {
    const repository = await bare("large");
    const bytes = packOf(entries);
    const outcome = await indexBytes(folder.path, bytes, { repository });
    if (outcome.refusal !== undefined) throw new Error(outcome.refusal);
    writeFileSync(`${folder.path}/judged.pack`, bytes);
    runGit(folder.path, ["-c", "core.bigFileThreshold=4g", "index-pack", "judged.pack"]);
    expect(readFileSync(`${outcome.path}.idx`).equals(readFileSync(`${folder.path}/judged.idx`))).toBeTrue();
    expect(outcome.pack.ownFiles).toHaveLength(3);
    await installPack(outcome.path, `${repository}/objects`, outcome.pack);
    runGit(repository, ["fsck", "--full", "--strict"]);
    const reader = new ObjectReader(repository, new ObjectCache(), async () => undefined);
    for (const [at, each] of [base, second, third, small].entries()) {
      expect(await read(reader, oids[at] as Buffer)).toBe(digest(each));
    }
    // Joining the packs leaves the files alone, and takes others.
    const plain = writeObject(repository, "blob", "plain");
    const joined = await repack({ folder: repository, pack: `${folder.path}/joined` });
    expect(joined.replaced).toEqual([`objects/${plain.slice(0, 2)}/${plain.slice(2)}`]);
    // Without its base, a delta is sent whole.
    using store = new ObjectStore(repository);
    const wanted = new OidTable();
    wanted.add(thirdOid);
    const sent: Uint8Array[] = [];
    for await (const piece of new PackWriter(store, wanted, { hasOffsetDeltas: true }).pieces()) sent.push(piece);
    const other = await bare("sent");
    runGit(other, ["index-pack", "--stdin", "--strict"], Buffer.concat(sent));
    expect(runGit(other, ["cat-file", "-s", thirdOid.toString("hex")]).trim()).toBe(`${third.length}`);
  }, 120_000);

  test("of a thin pack are made from a file of the repository", async () => {
    const repository = await bare("thin");
    runGit(repository, ["hash-object", "-w", "--stdin"], base);
    const outcome = await indexBytes(folder.path, packOf([idDelta(baseOid, toSecond)]), { repository });
    expect(outcome).toMatchObject({ refusal: undefined, pack: { objects: 2 }, missing: undefined });
    expect(readdirSync(`${outcome.path}.objects`)).toHaveLength(1);
    runGit(folder.path, ["-c", "core.bigFileThreshold=4g", "index-pack", "--verify", `${outcome.path}.pack`]);
  }, 120_000);

  test("that do not fit are refused", async () => {
    const wrong = [
      delta(base.length, second.length, ...copied(base.length)),
      delta(base.length + 1, second.length, ...copied(base.length), insert(added)),
      delta(base.length, second.length, ...copied(base.length), copy(base.length - 5, 1 * mebibyte)),
      delta(base.length, 17 * mebibyte, ...copied(base.length)),
      toSecond.subarray(0, -4),
    ];
    const start = whole("blob", base);
    for (const each of wrong) {
      const outcome = await indexBytes(folder.path, packOf([start, offsetDelta(start.length, each)]));
      expect(outcome.refusal).toBe("failed to apply delta");
    }
  }, 120_000);
});

test("an object behind more deltas than are read one after the other gets a file of its own", async () => {
  const first = content(2_000, 3);
  const chain = [whole("blob", first)];
  const made = [first];
  for (let at = 1; at <= 600; at += 1) {
    const before = made.at(-1) as Buffer;
    const text = Buffer.from(`change ${at}\n`);
    made.push(Buffer.concat([text, before.subarray(text.length)]));
    const change = delta(before.length, before.length, insert(text), copy(text.length, before.length - text.length));
    chain.push(offsetDelta((chain.at(-1) as Buffer).length, change));
  }
  const repository = `${folder.path}/chained`;
  mkdirSync(`${repository}/objects/pack`, { recursive: true });
  const outcome = await indexBytes(folder.path, packOf(chain), { repository });
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal);
  await installPack(outcome.path, `${repository}/objects`, outcome.pack);
  const reader = new ObjectReader(repository, new ObjectCache(), async () => undefined);
  for (const bytes of made) expect(await read(reader, rawOid("blob", bytes))).toBe(digest(bytes));
  expect(outcome.pack.ownFiles).toHaveLength(88);
  expect(first.length).toBeLessThan(deltaFileBytesMax);
});
