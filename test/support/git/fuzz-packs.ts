/**
 * Indexes packs that are changed at random, and prints what came of them: `bun fuzz-packs.ts FOLDER SEED COUNT`. A process of its
 * own, so that its memory is that of the packs.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PackError } from "../../../src/git/packing/limits.ts";
import { ObjectStore } from "../../../src/git/packing/object-store.ts";
import { PackIndexer } from "../../../src/git/packing/pack-indexer.ts";
import { createRandom, type Random } from "../checks/random.ts";
import { copy, delta, idDelta, insert, offsetDelta, packOf, rawOid, sealed, treeOf, whole } from "./raw-packs.ts";

/** The end of a run. */
export interface FuzzedPacks {
  readonly taken: number;
  /** By reason, without numbers and ids. */
  readonly refused: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly peakMebibytes: number;
}

const limits = { objectsMax: 100_000, objectBytesMax: 64 << 20 };
const person = "Ann <ann@example.com> 1700000000 +0000";

/** The entries of a small pack: files, deltas of both kinds, trees, commits and a tag. */
function entriesOf(random: Random): Buffer[] {
  const text = Buffer.from(random.text(random.integer(0, 3_000)));
  const textOid = rawOid("blob", text);
  const tree = treeOf([
    ["100644", "a", textOid],
    ["40000", "b", rawOid("tree", Buffer.alloc(0))],
  ]);
  const treeOid = rawOid("tree", tree);
  const commit = `tree ${treeOid.toString("hex")}\nauthor ${person}\ncommitter ${person}\n\n${random.text(20)}`;
  const commitOid = rawOid("commit", Buffer.from(commit));
  const tag = `object ${commitOid.toString("hex")}\ntype commit\ntag v1\ntagger ${person}\n\nmessage\n`;
  const file = whole("blob", text);
  const part = random.integer(0, text.length);
  const change = delta(text.length, part + 9, ...(part === 0 ? [] : [copy(0, part)]), insert("123456789"));
  const entries = [
    file,
    offsetDelta(file.length, change),
    idDelta(textOid, change),
    whole("tree", tree),
    whole("tree", ""),
  ];
  return [...entries, whole("commit", commit), whole("tag", tag)];
}

/** Deltas that make large things of few bytes, some of them wrong. */
function growingEntries(random: Random): Buffer[] {
  const base = Buffer.alloc(random.integer(1, 200_000), "base ");
  const entries = [whole("blob", base)];
  let length = base.length;
  for (let at = random.integer(1, 12); at > 0; at -= 1) {
    const copies = Array.from({ length: random.integer(1, 6) }, () => copy(0, Math.min(length, 0xff_ff_ff)));
    const made = copies.length * Math.min(length, 0xff_ff_ff) + (random.fraction() < 0.02 ? 1 : 0);
    entries.push(offsetDelta((entries.at(-1) as Buffer).length, delta(length, made, ...copies)));
    length = made;
  }
  return entries;
}

function mutated(random: Random, bytes: Buffer): Buffer {
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  const end = Math.min(bytes.length, at + random.integer(1, 40));
  const kinds = [
    () => {
      const changed = Buffer.from(bytes);
      for (let count = random.integer(1, 4); count > 0; count -= 1) {
        changed[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      }
      return changed;
    },
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
    () => Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random.integer(1, 30), 0xff), bytes.subarray(at)]),
  ];
  return (kinds[random.integer(0, kinds.length - 1)] as () => Buffer)();
}

/** The hash at the end is made anew, mostly: else nothing behind it would ever be reached. */
function nextPack(random: Random): Buffer {
  const draw = random.fraction();
  if (draw < 0.05) return packOf(growingEntries(random));
  const entries = entriesOf(random);
  if (draw < 0.45) return sealed(mutated(random, packOf(entries).subarray(0, -20)));
  if (draw < 0.5) return mutated(random, packOf(entries));
  const place = random.integer(0, entries.length - 1);
  const other = random.integer(0, entries.length - 1);
  [entries[place], entries[other]] = [entries[other] as Buffer, entries[place] as Buffer];
  if (draw < 0.75) entries[place] = mutated(random, entries[place] as Buffer);
  const type = (["commit", "tree", "blob", "tag"] as const)[random.integer(0, 3)] as "tree";
  entries.push(whole(type, mutated(random, Buffer.from(`100644 a\0${random.text(20)}tree ${random.text(60)}\n\n`))));
  return packOf(entries, { count: entries.length + (random.fraction() < 0.05 ? random.integer(-1, 1) : 0) });
}

async function indexPack(path: string, bytes: Buffer): Promise<string | undefined> {
  writeFileSync(`${path}.pack`, bytes);
  using store = new ObjectStore(`${path}.git`);
  try {
    const indexer = new PackIndexer(path, store, limits);
    try {
      await indexer.index();
      indexer.findMissing();
    } finally {
      indexer.close();
    }
    return undefined;
  } catch (error) {
    if (error instanceof PackError) return error.message.replace(/[0-9a-f]{40}|\d+/g, "N");
    throw error;
  } finally {
    for (const ending of ["pack", "idx", "objects"]) rmSync(`${path}.${ending}`, { recursive: true, force: true });
  }
}

/** That of this program alone: `resourceUsage` begins with the peak of the one that started it. */
function peakMebibytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kibibytes === undefined ? process.memoryUsage().rss / 1_024 ** 2 : Number(kibibytes) / 1_024;
}

async function fuzz(folder: string, seed: number, count: number): Promise<FuzzedPacks> {
  const random = createRandom(seed);
  const refused: Record<string, number> = {};
  let [taken, slowestMs] = [0, 0];
  for (let round = 0; round < count; round += 1) {
    const pack = nextPack(random);
    const begun = performance.now();
    const refusal = await indexPack(`${folder}/fuzzed`, pack).catch((error: unknown) => {
      writeFileSync(`${folder}/culprit.pack`, pack);
      throw error;
    });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (refusal === undefined) taken += 1;
    else refused[refusal] = (refused[refusal] ?? 0) + 1;
  }
  return { taken, refused, slowestMs, peakMebibytes: peakMebibytes() };
}

const [folder = "", seed = "", count = ""] = process.argv.slice(2);
if (import.meta.main) console.log(JSON.stringify(await fuzz(folder, Number(seed), Number(count))));
