import { expect, test } from "bun:test";
import fc from "fast-check";
import { treeEntries, treeEntryNamed } from "../../../src/git/objects/trees.ts";

const oid = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 });
const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[\0/]/.test(text));
const mode = fc.constantFrom("100644", "100755", "40000", "120000", "160000");
const tree = fc.uniqueArray(fc.record({ mode, name, oid }), { selector: (entry) => entry.name });

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

test("bytes that are no tree are refused", () => {
  const bytes = bytesOf([{ mode: "100644", name: "a", oid: "1".repeat(40) }]);
  for (const broken of [bytes.subarray(0, 5), bytes.subarray(0, -1), Buffer.from("no tree")]) {
    expect(() => treeEntries(broken)).toThrow("broken");
    expect(() => treeEntryNamed(broken, "b")).toThrow("broken");
  }
});
