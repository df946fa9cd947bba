import { afterAll, expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { ObjectWalk } from "../../../../src/git/packing/object-walk.ts";
import { OidTable } from "../../../../src/git/packing/oid-table.ts";
import { packOf, rawOid, treeOf, whole } from "../../../support/git/raw-packs.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { indexBytes } from "./setting.ts";

const folder = await createTempFolder();
afterAll(() => folder.remove());

const person = "Ann <ann@example.com> 1700000000 +0000";
const none = new OidTable();
let repositories = 0;

async function repositoryOf(entries: readonly Buffer[]): Promise<string> {
  repositories += 1;
  const repository = join(folder.path, `r${repositories}.git`);
  mkdirSync(`${repository}/objects/pack`, { recursive: true });
  const { path } = await indexBytes(folder.path, packOf([...entries]));
  for (const ending of ["pack", "idx"]) renameSync(`${path}.${ending}`, `${repository}/objects/pack/pack-1.${ending}`);
  return repository;
}

const file = Buffer.from("x");
const other = Buffer.from("y");
const wide = (changed: number) =>
  treeOf(
    Array.from({ length: 3_000 }, (_, at) => [
      "100644",
      String(at).padStart(4, "0"),
      rawOid("blob", at === changed ? other : file),
    ]),
  );
const commitOf = (tree: Buffer, parents: readonly Buffer[]) =>
  Buffer.from(
    `tree ${rawOid("tree", tree).toString("hex")}\n${parents.map((parent) => `parent ${parent.toString("hex")}\n`).join("")}author ${person}\ncommitter ${person}\n\nx\n`,
  );

test("a merge of many is compared with few of its parents", async () => {
  const trees = Array.from({ length: 60 }, (_, at) => wide(at));
  const parents = trees.map((tree) => commitOf(tree, []));
  const parentOids = parents.map((content) => rawOid("commit", content));
  const merge = commitOf(wide(-1), parentOids);
  const repository = await repositoryOf([
    ...[file, other].map((content) => whole("blob", content)),
    ...[...trees, wide(-1)].map((content) => whole("tree", content)),
    ...[...parents, merge].map((content) => whole("commit", content)),
  ]);
  using store = new ObjectStore(repository);
  store.limitLookUps(250);
  const wants = [rawOid("commit", merge)];
  const shared = { clientShallow: none, newShallow: none, filter: undefined };
  const found = new ObjectWalk(store, { wants, haves: parentOids, ...shared }).collect();
  expect(found.size).toBe(2);
  for (const oid of [...wants, rawOid("tree", wide(-1))]) expect(found.has(oid)).toBe(true);
});

test("a folder that is in a tree many times is walked once", async () => {
  let below = treeOf([["100644", "a", rawOid("blob", file)]]);
  const entries = [whole("blob", file), whole("tree", below)];
  for (let depth = 0; depth < 4; depth += 1) {
    const oid = rawOid("tree", below);
    below = treeOf(Array.from({ length: 300 }, (_, at) => ["40000", `d${String(at).padStart(3, "0")}`, oid]));
    entries.push(whole("tree", below));
  }
  const commit = commitOf(below, []);
  const repository = await repositoryOf([...entries, whole("commit", commit)]);
  using store = new ObjectStore(repository);
  store.limitLookUps(20);
  const wants = [rawOid("commit", commit)];
  const shared = { clientShallow: none, newShallow: none, filter: undefined };
  expect(new ObjectWalk(store, { wants, haves: [], ...shared }).collect().size).toBe(entries.length + 1);
});

test("a file and a folder of one name are told apart", async () => {
  const blob = rawOid("blob", file);
  const inner = treeOf([["100644", "z", blob]]);
  const changed = treeOf([["100644", "z", rawOid("blob", other)]]);
  const before = treeOf([
    ["100644", "a", blob],
    ["100644", "a.b", blob],
    ["40000", "b", rawOid("tree", inner)],
  ]);
  const after = treeOf([
    ["100644", "a.b", blob],
    ["40000", "a", rawOid("tree", inner)],
    ["40000", "b", rawOid("tree", changed)],
  ]);
  const first = commitOf(before, []);
  const second = commitOf(after, [rawOid("commit", first)]);
  const repository = await repositoryOf([
    ...[file, other].map((content) => whole("blob", content)),
    ...[inner, changed, before, after].map((content) => whole("tree", content)),
    ...[first, second].map((content) => whole("commit", content)),
  ]);
  using store = new ObjectStore(repository);
  const [want, have] = [rawOid("commit", second), rawOid("commit", first)];
  const shared = { clientShallow: none, newShallow: none, filter: undefined };
  const found = new ObjectWalk(store, { wants: [want], haves: [have], ...shared }).collect();
  for (const oid of [want, rawOid("tree", after), rawOid("tree", changed), rawOid("blob", other)]) {
    expect(found.has(oid)).toBe(true);
  }
  expect(found.has(rawOid("tree", before))).toBe(false);
});
