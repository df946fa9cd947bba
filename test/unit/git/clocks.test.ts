/** Histories whose clocks lie, with git as oracle. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { reachedFrom, requestBounds } from "../../../src/git/ancestry.ts";
import { HistoriesWith, mergeBase, reachable } from "../../../src/git/index.ts";
import type { Commit } from "../../../src/git/objects/objects.ts";
import { commitAt, isAncestor } from "../../../src/git/packing/ancestry.ts";
import { ObjectStore } from "../../../src/git/packing/object-store.ts";
import { hexOf, oidOf } from "../../../src/git/packing/oid-table.ts";
import type { Repository } from "../../../src/git/repository.ts";
import { depth } from "../../support/checks/depth.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { emptyRepository, git, place } from "./histories.ts";

const day = 86_400;
const now = 1_700_000_000;

/** Parents as distances to earlier commits, and the date of the committer. */
const commit = fc.record({
  parents: fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 }) }),
    {
      minLength: 0,
      maxLength: 3,
    },
  ),
  time: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: now, max: now + 5 * day }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, now, 4_102_444_800, 99_999_999_999) },
  ),
});
const order = fc.constantFrom("as they come", "increasing", "decreasing", "equal");
const history = fc.tuple(fc.array(commit, { minLength: 2, maxLength: 45 }), order).map(([commits, sorted]) => {
  const times = commits.map(({ time }) => time);
  if (sorted === "increasing") times.sort((one, other) => one - other);
  if (sorted === "decreasing") times.sort((one, other) => other - one);
  if (sorted === "equal") times.fill(now);
  return commits.map(({ parents }, at) => ({
    time: times[at] as number,
    parents: [...new Set(parents.map((back) => at - back).filter((each) => each >= 0))],
  }));
});
type History = readonly { readonly time: number; readonly parents: readonly number[] }[];

/** Makes a branch for each commit, named by its number. */
async function importHistory(work: string, commits: History): Promise<void> {
  const lines = commits.flatMap(({ time, parents }, at) => [
    `reset refs/heads/c${at}`,
    `commit refs/heads/c${at}`,
    `mark :${at + 1}`,
    `committer M <m@example.com> ${time} +0000`,
    "data 1",
    "m",
    ...parents.map((parent, nth) => `${nth === 0 ? "from" : "merge"} :${parent + 1}`),
    `M 100644 inline f${at}`,
    "data 1",
    "x",
    "",
  ]);
  const child = Bun.spawn(["git", "-C", work, "fast-import", "--quiet", "--date-format=raw"], {
    stdin: new Blob([lines.join("\n")]),
    stderr: "pipe",
  });
  const error = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(error);
}

const linesOf = (text: string) => text.split("\n").filter((each) => each !== "");

async function withHistory(
  commits: History,
  work: (given: { repository: Repository; all: Commit[]; folder: string; names: Map<string, string> }) => Promise<void>,
): Promise<void> {
  await using folder = await createTempFolder();
  const { repositories, work: tree } = await emptyRepository(folder.path);
  await importHistory(tree, commits);
  await repositories.read(place, async (repository) => {
    const all: Commit[] = [];
    for (const at of commits.keys()) all.push((await repository.resolve(`c${at}`)) as Commit);
    await work({ repository, all, folder: tree, names: new Map(all.map(({ oid }, at) => [oid, `c${at}`])) });
  });
}

test("who leads to whom is right for any dates", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), fc.nat(), async (commits, first, second) => {
      await withHistory(commits, async ({ repository, all, folder, names }) => {
        const [one, other] = [all[first % all.length], all[second % all.length]] as [Commit, Commit];
        const merged = linesOf(await git(folder, "branch", "--format=%(refname:short)", "--merged", other.oid)).sort();
        const reached = await reachable(repository, other, all);
        expect([...reached].map((oid) => names.get(oid) as string).sort()).toEqual(merged);
        for (const each of all) {
          expect((await reachable(repository, other, [each])).has(each.oid)).toBe(reached.has(each.oid));
        }

        const containing = linesOf(
          await git(folder, "branch", "--format=%(refname:short)", "--contains", one.oid),
        ).sort();
        const histories = new HistoriesWith(repository, one);
        const found: string[] = [];
        for (const head of [...all].reverse())
          if (await histories.includes(head)) found.push(names.get(head.oid) as string);
        expect(found.sort()).toEqual(containing);

        using store = new ObjectStore(repository.folder);
        expect(hexOf(commitAt(store, oidOf(one.oid)) as Uint8Array)).toBe(one.oid);
        for (const head of all) {
          expect(isAncestor(store, oidOf(one.oid), oidOf(head.oid))).toBe(
            containing.includes(names.get(head.oid) as string),
          );
        }
      });
    }),
    { numRuns: 10 * depth },
  );
}, 120_000);

test("ranges and common commits are right for any dates", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), fc.nat(), async (commits, first, second) => {
      await withHistory(commits, async ({ repository, all, folder }) => {
        const [left, right] = [all[first % all.length], all[second % all.length]] as [Commit, Commit];
        // git itself lists too much of a range where clocks lie far enough. Whole histories it lists right.
        const [ofLeft, ofRight] = [
          new Set(linesOf(await git(folder, "rev-list", left.oid))),
          new Set(linesOf(await git(folder, "rev-list", right.oid))),
        ];
        expect(await repository.range({ left, right, isSymmetric: false })).toEqual(ofRight.difference(ofLeft));
        expect(await repository.range({ left, right, isSymmetric: true })).toEqual(ofRight.symmetricDifference(ofLeft));

        const bases = linesOf(await git(folder, "merge-base", "--all", left.oid, right.oid).catch(() => ""));
        const base = await mergeBase(repository, left, right);
        expect(base === undefined).toBe(bases.length === 0);
        if (base === undefined) return;
        expect(bases).toContain(base.oid);
        const times = all.filter(({ oid }) => bases.includes(oid)).map(({ committer }) => committer.timestamp);
        expect(base.committer.timestamp).toBe(Math.max(...times));
      });
    }),
    { numRuns: 10 * depth },
  );
}, 120_000);

/** How many of a line of commits, each a second younger than its parent, a walk reads. */
function readsOf(
  length: number,
  from: number,
  wanted: { readonly at: number; readonly time?: number },
  bounds = requestBounds,
) {
  const reading = reachedFrom([`${from}`], [`${wanted.at}`], bounds);
  let reads = 0;
  for (let step = reading.next(); ; ) {
    if (step.done === true) return { reads, isFound: step.value.size > 0 };
    reads += 1;
    const at = Number(step.value);
    const isWanted = at === wanted.at;
    // Commits beyond the line are a line of their own.
    const parents = at === 0 || at === length ? [] : [`${at - 1}`];
    step = reading.next({ oid: step.value, parents, time: isWanted ? (wanted.time ?? at) : at });
  }
}

test("a walk ends soon where clocks are right", () => {
  const length = 1_000_000;
  expect(readsOf(length, length - 1, { at: length - 10 })).toEqual({ reads: expect.any(Number), isFound: true });
  expect(readsOf(length, length - 1, { at: length - 10 }).reads).toBeLessThan(50);
  expect(readsOf(length, length - 10, { at: length - 1 })).toEqual({ reads: expect.any(Number), isFound: false });
  expect(readsOf(length, length - 10, { at: length - 1 }).reads).toBeLessThan(50);
});

test("a walk believes the clocks after as many commits as it may doubt", () => {
  const length = 1_000_000;
  // Of another line, and newer than all.
  const { reads, isFound } = readsOf(length, length - 1, { at: length, time: length });
  expect(isFound).toBe(false);
  expect(reads).toBeGreaterThan(requestBounds.doubtedMax);
  expect(reads).toBeLessThan(requestBounds.doubtedMax + 10);
  const future = { at: length - 1_000, time: 10 * length };
  expect(readsOf(length, length - 1, future).isFound).toBe(true);
  expect(readsOf(length, length - 1, { at: length - 9_000, time: 10 * length }).isFound).toBe(false);
  expect(readsOf(length, length - 1, future, { ...requestBounds, commitsMax: 999 }).isFound).toBe(false);
});
