import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TreeEntry } from "../../../src/git/objects/objects.ts";
import { changingTree, parsingTree, renderTree, searchingTree, treeEntries } from "../../../src/git/objects/trees.ts";
import { stepLength, takeAtOnce } from "../../../src/lib/yield.ts";

const oid = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 });
const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[\0/]/.test(text));
const mode = fc.constantFrom("100644", "100755", "40000", "120000", "160000");
const tree = fc.uniqueArray(fc.record({ mode, name, oid }), { selector: (entry) => entry.name });

const treeEntryNamed = (bytes: Buffer, wanted: string) => takeAtOnce(searchingTree(bytes, wanted));

type Stored = { readonly mode: string; readonly name: string; readonly oid: string };

const bytesOf = (entries: readonly Stored[]) =>
  Buffer.concat(
    entries.flatMap((entry) => [Buffer.from(`${entry.mode} ${entry.name}\0`), Buffer.from(entry.oid, "hex")]),
  );
const typeOf = (stored: string) => ({ "40000": "tree", "160000": "commit" })[stored] ?? "blob";
const shown = (entry: Stored) => ({
  mode: entry.mode.padStart(6, "0"),
  path: entry.name,
  oid: entry.oid,
  type: typeOf(entry.mode),
});

test("a tree is read as it was written, and each of its names is found", () => {
  fc.assert(
    fc.property(tree, name, (entries, other) => {
      const bytes = bytesOf(entries);
      expect(treeEntries(bytes) as unknown[]).toEqual(entries.map(shown));
      for (const entry of entries) expect(treeEntryNamed(bytes, entry.name) as unknown).toEqual(shown(entry));
      const isThere = entries.some((entry) => entry.name === other);
      expect(treeEntryNamed(bytes, other) !== undefined).toBe(isThere);
    }),
  );
});

test("a name that ends as another one does is not taken for it", () => {
  const bytes = bytesOf([{ mode: "100644", name: "a b", oid: "1".repeat(40) }]);
  expect(treeEntryNamed(bytes, "b")).toBeUndefined();
  expect(treeEntryNamed(bytes, "a b")?.path).toBe("a b");
});

const entriesOf = (stored: readonly Stored[]) => stored.map(shown) as TreeEntry[];

test("entries are written in the order of git, which puts a slash behind folders", () => {
  const given = ["a", "a-b", "a.b", "a0", "\u{ffee}", "\u{1f600}"].map((each) => ({
    mode: "100644",
    name: each,
    oid: "1".repeat(40),
  }));
  const folder = { mode: "40000", name: "a", oid: "2".repeat(40) };
  const order = ["a-b", "a.b", "a", "a0", "\u{ffee}", "\u{1f600}"];
  const bytes = renderTree(entriesOf([...given.slice(1), folder].reverse()));
  expect(treeEntries(bytes).map(({ path }) => path)).toEqual(order);
  const file = takeAtOnce(changingTree(bytes, new Map([["a", { mode: "100644", oid: "1".repeat(40) }]])));
  expect(file).toEqual(renderTree(entriesOf(given)));
});

test("a changed tree has what a tree of the changed entries has", () => {
  fc.assert(
    fc.property(tree, tree, fc.nat(20), (stored, fresh, removed) => {
      const gone = stored.slice(removed).map((entry) => entry.name);
      const changes = new Map([
        ...gone.map((each): [string, undefined] => [each, undefined]),
        ...entriesOf(fresh).map((entry): [string, TreeEntry] => [entry.path, entry]),
      ]);
      const others = stored.filter((entry) => !changes.has(entry.name));
      const changed = takeAtOnce(changingTree(renderTree(entriesOf(stored)), changes));
      expect(changed).toEqual(renderTree(entriesOf([...others, ...fresh])));
    }),
  );
});

test("names that are no UTF-8 stay as they are beside a change", () => {
  const odd = Buffer.concat([Buffer.from("100644 caf"), Buffer.from([0xe9, 0]), Buffer.alloc(20, 1)]);
  const changed = takeAtOnce(changingTree(odd, new Map([["a", { mode: "100644", oid: "2".repeat(40) }]])));
  expect(changed.subarray(-odd.length)).toEqual(odd);
});

test("work on a large tree is cut into slices", () => {
  const count = 50_000;
  const large = renderTree(
    Array.from({ length: count }, (_, at) => ({ mode: "100644", path: `f${at}`, oid: "1".repeat(40), type: "blob" })),
  );
  const change = { mode: "100644", oid: "2".repeat(40) };
  for (const steps of [
    parsingTree(large),
    searchingTree(large, "none"),
    changingTree(large, new Map([["new", change]])),
  ]) {
    expect([...steps].length).toBe(Math.floor(count / stepLength));
  }
});

test("bytes that are no tree are refused", () => {
  const bytes = bytesOf([{ mode: "100644", name: "a", oid: "1".repeat(40) }]);
  for (const broken of [bytes.subarray(0, 5), bytes.subarray(0, -1), Buffer.from("no tree")]) {
    expect(() => treeEntries(broken)).toThrow("broken");
    expect(() => treeEntryNamed(broken, "b")).toThrow("broken");
  }
});
