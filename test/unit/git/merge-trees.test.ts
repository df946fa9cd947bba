import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Commit, mergeCommits } from "../../../src/git/index.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { emptyRepository, git, place } from "./histories.ts";
import { forks, importForks, mergedByGit } from "./merging.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const runs = Number(process.env.TEST_DEPTH ?? 1) * 60;

test("merges random branches as git merge-tree does: the same tree, or the same conflicted paths", async () => {
  const seen = { clean: 0, conflicted: 0, severalBases: 0 };
  const compare = fc.asyncProperty(forks, async (drawn) => {
    await using folder = await createTempFolder();
    const { repositories, work } = await emptyRepository(folder.path);
    await importForks(work, drawn);
    const expected = await mergedByGit(work, "one", "other");
    const bases = (await git(work, "merge-base", "--all", "one", "other")).trim().split("\n");
    const found = await repositories.read(place, async (repository) => {
      const [one, other] = [await repository.resolve("one"), await repository.resolve("other")];
      return mergeCommits(repository, one as Commit, other as Commit, { one: "one", other: "other" });
    });
    const { tree, conflicts, isClean } = found;
    seen.severalBases += Number(bases.length > 1);
    seen.clean += Number(isClean);
    seen.conflicted += Number(!isClean);
    expect({ tree, conflicts: [...conflicts].sort(), isClean }).toEqual(expected);
  });
  await fc.assert(compare, { numRuns: runs, seed });
  expect(Math.min(seen.clean, seen.conflicted, seen.severalBases)).toBeGreaterThan(0);
}, 600_000);
