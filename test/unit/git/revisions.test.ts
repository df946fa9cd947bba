/** Revisions, with git as oracle. */

import { expect, test } from "bun:test";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { commitAll, emptyRepository, git, place } from "./histories.ts";

const files = (text: string) => new Map([["a", text]]);

test("revisions are read as git reads them", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await commitAll(work, files(""), files("0"));
  for (let at = 1; at < 6; at += 1) await commitAll(work, files(`${at - 1}`), files(`${at}`));
  await git(work, "branch", "side/line", "HEAD~3");
  await git(work, "tag", "light", "HEAD~2");
  await git(work, "tag", "-a", "-m", "one", "v1", "HEAD~1");
  // A tag and a branch with one name: the tag wins.
  await git(work, "branch", "both", "HEAD~4");
  await git(work, "tag", "both", "HEAD~1");
  await git(work, "checkout", "-q", "side/line");
  await git(work, "merge", "-q", "--no-ff", "-m", "Merge", "HEAD~1", "both", "light").catch(() => "");
  await git(work, "merge", "-q", "--no-ff", "-m", "Merge", "light");
  await git(work, "checkout", "-q", "main");
  const full = (await git(work, "rev-parse", "main")).trim();
  const names = [
    "HEAD",
    "@",
    "main",
    "heads/main",
    "refs/heads/main",
    "heads/side/line",
    "side/line",
    "both",
    "heads/both",
  ];
  names.push(
    "tags/both",
    "light",
    "v1",
    "tags/v1",
    "refs/tags/v1",
    full,
    full.slice(0, 9),
    "none",
    "heads/none",
    "refs/none",
  );
  const steps = [
    "",
    "^",
    "~",
    "^^",
    "~~",
    "^0",
    "~0",
    "^1",
    "^2",
    "^3",
    "~1",
    "~2",
    "~3^",
    "^2~1",
    "^1^1",
    "~9",
    "~100",
  ];
  steps.push("^{}", "^{commit}", "^{commit}~1", "~1^{commit}", "^{tree", "^x", "~-1", "^{blob}", "^-", "^!", "^@");
  await repositories.read(place, async (repository) => {
    const wrong: string[] = [];
    for (const name of names) {
      for (const step of steps) {
        const revision = `${name}${step}`;
        // `^@` and the like name several commits or none.
        const wanted = /\^[-!@]$/.test(step)
          ? undefined
          : (await git(work, "rev-parse", "-q", "--verify", `${revision}^{commit}`).catch(() => "")).trim() ||
            undefined;
        const found = (await repository.resolve(revision))?.oid;
        if (found !== wanted) wrong.push(`${revision}: ${found} for ${wanted}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test("steps of a revision have a bound", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await commitAll(work, files(""), files("0"));
  await repositories.read(place, async (repository) => {
    for (const steps of ["~10001", "~999999999999", "^0".repeat(600), "~5000~5001"]) {
      expect(await repository.resolve(`main${steps}`)).toBeUndefined();
    }
    expect(await repository.resolve(`main${"^0".repeat(400)}`)).toBeDefined();
  });
});
