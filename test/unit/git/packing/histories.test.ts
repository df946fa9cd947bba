import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseFilter } from "../../../../src/git/packing/filter.ts";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { ObjectWalk } from "../../../../src/git/packing/object-walk.ts";
import { hexOf, OidTable, oidOf } from "../../../../src/git/packing/oid-table.ts";
import { PackWriter } from "../../../../src/git/packing/pack-writer.ts";
import { depth } from "../../../support/checks/depth.ts";
import { createRandom, type Random } from "../../../support/checks/random.ts";
import { randomHistory } from "../../../support/git/random-history.ts";
import { runGit } from "../../../support/git/stock-git.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes } from "./setting.ts";

const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

const rounds = 3 * depth;
let count = 0;

function bare(): string {
  count += 1;
  const path = `${folder.path}/r${count}.git`;
  runGit(folder.path, ["init", "-q", "--bare", "-b", "main", path]);
  return path;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

function objectsOf(repository: string, args: readonly string[], input = ""): Set<string> {
  const listed = runGit(repository, ["rev-list", "--objects", "--stdin", ...args], input);
  return new Set(linesOf(listed).map((line) => line.slice(0, 40)));
}

function tableOf(oids: Iterable<string>): OidTable {
  const table = new OidTable();
  for (const oid of oids) table.add(oidOf(oid));
  return table;
}

interface Asked {
  readonly wants: readonly string[];
  readonly haves?: readonly string[];
  readonly filter?: string;
}

function walk(repository: string, { wants, haves = [], filter }: Asked): Set<string> {
  using store = new ObjectStore(repository);
  const none = new OidTable();
  const found = new ObjectWalk(store, {
    wants: wants.map(oidOf),
    haves: haves.map(oidOf),
    clientShallow: none,
    newShallow: none,
    filter: filter === undefined ? undefined : parseFilter(filter),
  }).collect();
  return new Set([...found.entries()].map(([oid]) => hexOf(oid)));
}

async function packOfObjects(repository: string, oids: Iterable<string>, hasOffsetDeltas: boolean): Promise<Buffer> {
  using store = new ObjectStore(repository);
  const pieces: Uint8Array[] = [];
  for await (const piece of new PackWriter(store, tableOf(oids), { hasOffsetDeltas }).pieces()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Some of many. */
function someOf<T>(random: Random, all: readonly T[], most: number): T[] {
  return Array.from({ length: random.integer(1, most) }, () => all[random.integer(0, all.length - 1)] as T);
}

/** Objects as loose files, as one pack, or as some of each. */
function arrange(random: Random, repository: string): void {
  const kind = random.integer(0, 3);
  if (kind === 1) runGit(repository, ["repack", "-adfq", "--depth=40"]);
  if (kind === 2) runGit(repository, ["-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"]);
  if (kind === 3) {
    const tags = linesOf(runGit(repository, ["rev-list", "--all", "--objects"])).map((line) => line.slice(0, 40));
    for (const part of [tags.slice(0, tags.length / 2), tags.slice(tags.length / 3)]) {
      runGit(
        repository,
        ["pack-objects", "-q", "--delta-base-offset", `${repository}/objects/pack/pack`],
        part.join("\n"),
      );
    }
    runGit(repository, ["prune-packed"]);
  }
}

describe.skipIf(missing !== undefined)("random histories", () => {
  const random = createRandom();

  test(`give the objects that git lists, for ${rounds} repositories`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const repository = bare();
      const { commits, tips } = randomHistory(random, repository, 60);
      arrange(random, repository);
      for (let draw = 0; draw < 6; draw += 1) {
        const wants = someOf(random, tips, 4);
        const all = objectsOf(repository, [], wants.join("\n"));
        expect(walk(repository, { wants })).toEqual(all);
        const haves = someOf(random, draw % 2 === 0 ? commits : tips, 5);
        const sent = walk(repository, { wants, haves });
        const needed = objectsOf(repository, [], [...wants, ...haves.map((oid) => `^${oid}`)].join("\n"));
        const known = objectsOf(repository, [], haves.join("\n"));
        // The walk may send objects once more that the client has, where clocks lie or a path has changed; nothing else.
        expect([...needed].filter((oid) => !sent.has(oid) && !known.has(oid))).toEqual([]);
        expect([...sent].filter((oid) => !all.has(oid))).toEqual([]);
        for (const filter of [
          "blob:none",
          "blob:limit=40",
          "tree:0",
          "tree:2",
          "object:type=commit",
          "object:type=blob",
        ]) {
          const filtered = objectsOf(repository, [`--filter=${filter}`, "--filter-provided-objects"], wants.join("\n"));
          for (const want of wants) filtered.add(want);
          const own = walk(repository, { wants, filter });
          expect({ filter, missing: [...filtered].filter((oid) => !own.has(oid)) }).toEqual({ filter, missing: [] });
        }
      }
    }
  }, 120_000);

  test("make packs that git takes, with offsets and with ids, and come back with git's own index", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const repository = bare();
      const { tips } = randomHistory(random, repository, 60);
      arrange(random, repository);
      const objects = walk(repository, { wants: tips });
      for (const hasOffsetDeltas of [true, false]) {
        const pack = await packOfObjects(repository, objects, hasOffsetDeltas);
        const other = bare();
        runGit(other, ["index-pack", "--stdin", "--strict", "--fsck-objects"], pack);
        expect(objectsOf(other, [], tips.join("\n"))).toEqual(objects);
        const outcome = await indexBytes(folder.path, pack);
        expect(outcome).toMatchObject({ refusal: undefined, missing: undefined, pack: { objects: objects.size } });
        const [judged = ""] = readdirSync(`${other}/objects/pack`).filter((name) => name.endsWith(".idx"));
        expect(readFileSync(`${outcome.path}.idx`).equals(readFileSync(`${other}/objects/pack/${judged}`))).toBeTrue();
      }
    }
  }, 120_000);

  test("packed by git get the index that git gives them, thin packs too", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const repository = bare();
      const { commits, tips } = randomHistory(random, repository, 80);
      for (const options of [[], ["--delta-base-offset"], ["--depth=200", "--window=40"], ["--thin"]]) {
        const have = commits[random.integer(0, commits.length - 1)] as string;
        const revisions = options.includes("--thin") ? [...tips, `^${have}`] : tips;
        const child = Bun.spawnSync(["git", "-C", repository, "pack-objects", "-q", "--stdout", "--revs", ...options], {
          stdin: Buffer.from(`${revisions.join("\n")}\n`),
        });
        const server = bare();
        if (options.includes("--thin")) {
          const old = await packOfObjects(repository, walk(repository, { wants: [have] }), true);
          runGit(server, ["index-pack", "--stdin"], old);
        }
        const outcome = await indexBytes(folder.path, Buffer.from(child.stdout), { repository: server });
        if (outcome.refusal !== undefined) throw new Error(outcome.refusal);
        expect(outcome.missing).toBeUndefined();
        runGit(folder.path, ["index-pack", "-o", `${outcome.path}.judged`, `${outcome.path}.pack`]);
        expect(readFileSync(`${outcome.path}.idx`).equals(readFileSync(`${outcome.path}.judged`))).toBeTrue();
        for (const ending of ["pack", "idx"]) {
          writeFileSync(
            `${server}/objects/pack/pack-${outcome.pack.name}.${ending}`,
            readFileSync(`${outcome.path}.${ending}`),
          );
        }
        expect(objectsOf(server, [], tips.join("\n"))).toEqual(objectsOf(repository, [], tips.join("\n")));
      }
    }
  }, 120_000);
});

test("a missing object is named", async () => {
  const repository = bare();
  mkdirSync(`${repository}/objects/aa`, { recursive: true });
  const { tips } = randomHistory(createRandom(), repository, 10);
  const objects = walk(repository, { wants: tips });
  const gone = linesOf(runGit(repository, ["rev-parse", `${tips[0]}^{tree}`]))[0] as string;
  objects.delete(gone);
  const outcome = await indexBytes(folder.path, await packOfObjects(repository, objects, true));
  expect(outcome).toMatchObject({ refusal: undefined, missing: gone });
});
