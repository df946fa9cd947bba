import { expect, spyOn, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { type ChangedFile, changedFiles } from "../../../src/git/diff/changed-files.ts";
import type { TreeEntry } from "../../../src/git/objects/objects.ts";
import { stepLength } from "../../../src/lib/yield.ts";

const blob = (path: string, oid = "a"): TreeEntry => ({ mode: "100644", path, oid, type: "blob" });
const folder = (path: string, oid: string): TreeEntry => ({ mode: "040000", path, oid, type: "tree" });

async function changesBetween(trees: Readonly<Record<string, readonly TreeEntry[]>>): Promise<ChangedFile[]> {
  const repository = { tree: async (oid: string) => trees[oid] ?? [] };
  const found: ChangedFile[] = [];
  for await (const file of changedFiles(repository, "before", "after")) found.push(file);
  return found;
}

test("files and folders that change places are in the order of git", async () => {
  const found = await changesBetween({
    before: [blob("a"), blob("a.b"), folder("c", "c1"), blob("d")],
    after: [blob("a.b"), folder("a", "a1"), folder("c", "c2"), blob("d", "e"), blob("f")],
    a1: [blob("x")],
    c1: [blob("y"), blob("z")],
    c2: [blob("y", "n"), blob("z")],
  });
  expect(found.map(({ path, before, after }) => [path, before?.oid, after?.oid])).toEqual([
    ["a", "a", undefined],
    ["a/x", undefined, "a"],
    ["c/y", "a", "n"],
    ["d", "a", "e"],
    ["f", undefined, "a"],
  ]);
});

test("others have their turns while large folders are compared that are the same but for one file", async () => {
  const size = 20 * stepLength;
  const budget = new WorkBudget();
  let [reads, most] = [0, 0];
  budget.nextTurn = async () => {
    most = Math.max(most, reads);
    reads = 0;
  };
  const counted = (at: number): TreeEntry => ({
    ...{ mode: "100644", oid: "a", type: "blob" },
    get path() {
      reads += 1;
      return String(at).padStart(6, "0");
    },
  });
  const entries = Array.from({ length: size }, (_, at) => counted(at));
  let now = 0;
  // Each look at the clock is two milliseconds later: a slice is over at each.
  const clock = spyOn(performance, "now").mockImplementation(() => {
    now += 2;
    return now;
  });
  try {
    const after = [...entries, blob("x")];
    const found = await withBudget(budget, () => changesBetween({ before: entries.slice(1), after }));
    expect(found.map(({ path }) => path)).toEqual(["000000", "x"]);
  } finally {
    clock.mockRestore();
  }
  expect(Math.max(most, reads)).toBeLessThan(10 * stepLength);
});
