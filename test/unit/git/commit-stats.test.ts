import { expect, test } from "bun:test";
import fc from "fast-check";
import { countCommitChanges } from "../../../src/git/diff/commit-stats.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { commitAll, commitHistory, emptyRepository, type Files, git, histories, place } from "./histories.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

/** The numbers that git counts in each commit, oldest first. */
async function countsOfGit(work: string) {
  const oids = (await git(work, "rev-list", "--reverse", "--first-parent", "HEAD")).trim().split("\n");
  const empty = (await git(work, "hash-object", "-t", "tree", "/dev/null")).trim();
  const found: { oid: string; additions: number; deletions: number }[] = [];
  for (const [at, oid] of oids.entries()) {
    const lines = (await git(work, "diff", "--numstat", at === 0 ? empty : `${oid}^`, oid)).trim().split("\n");
    const numbers = lines.filter((line) => /^\d/.test(line)).map((line) => line.split("\t").map(Number));
    const sum = (column: number) => numbers.reduce((all, line) => all + (line[column] ?? 0), 0);
    found.push({ oid, additions: sum(0), deletions: sum(1) });
  }
  return found;
}

async function expectCountsOfGit(history: readonly Files[]): Promise<void> {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await commitHistory(work, history);
  const expected = await countsOfGit(work);
  const counted = await repositories.read(place, async (repository) => {
    const all: typeof expected = [];
    for (const { oid } of expected) {
      const commit = await repository.commitOf(oid);
      if (commit === undefined) throw new Error(`no commit ${oid}`);
      all.push({ oid, ...(await countCommitChanges(repository, commit)) });
    }
    return all;
  });
  expect(counted).toEqual(expected);
}

test("counts what git counts, in random histories", async () => {
  await fc.assert(fc.asyncProperty(histories, expectCountsOfGit), { numRuns: 12, seed });
}, 120_000);

test("counts one line of a submodule, and none of a mode", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await commitAll(work, new Map(), new Map([["a", "x\n"]]));
  const head = (await git(work, "rev-parse", "HEAD")).trim();
  await git(work, "update-index", "--add", "--cacheinfo", `160000,${head},module`);
  await git(work, "update-index", "--chmod=+x", "a");
  await git(work, "commit", "-q", "-m", "Add a module");
  const counts = await repositories.read(place, async (repository) => {
    const commit = await repository.resolve("HEAD");
    return commit === undefined ? undefined : countCommitChanges(repository, commit);
  });
  expect(counts).toEqual({ additions: 1, deletions: 0 });
});

test("ends with a number for files that have nothing in common, however long", async () => {
  const lines = (prefix: string) => Array.from({ length: 30_000 }, (_, at) => `${prefix}${at % 700}`).join("\n");
  const before = new Map([["a", `${lines("x")}\n`]]);
  const shuffled = lines("x").split("\n").toReversed().join("\n");
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await commitAll(work, new Map(), before);
  await commitAll(work, before, new Map([["a", `${shuffled}\n`]]));
  const counts = await repositories.read(place, async (repository) => {
    const commit = await repository.resolve("HEAD");
    return commit === undefined ? undefined : countCommitChanges(repository, commit);
  });
  expect(counts?.additions).toBe(counts?.deletions as number);
  expect(counts?.additions).toBeGreaterThan(10_000);
});
