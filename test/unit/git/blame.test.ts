import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Repositories } from "../../../src/git/index.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { emptyRepository, type Files, git, histories, place } from "./histories.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

const asker = { reader: { name: "a test", isStranger: false }, gone: new AbortController().signal };

/** The commit of each line. */
async function blamed(repositories: Repositories, head: string, path: string, count: number): Promise<string[]> {
  return repositories.read(place, async (repository) => {
    const question = { head, path, lines: { start: 0, end: count } };
    const found = await repositories.computing.blame(repository, question, asker);
    return found.flatMap(({ start, end, commit }) => Array.from({ length: end - start }, () => commit.oid));
  });
}

async function blamedByGit(work: string, head: string, path: string): Promise<string[]> {
  const text = await git(work, "blame", "--line-porcelain", head, "--", path);
  return [...text.matchAll(/^([0-9a-f]{40}) \d+ \d+/gm)].map(([, oid]) => oid as string);
}

/** Commits files one after the other, some as merges with an earlier commit. Returns the last one. */
async function commitWithMerges(work: string, history: readonly Files[], merged: readonly number[]): Promise<string> {
  const commits: string[] = [];
  for (const [at, files] of history.entries()) {
    await git(work, "read-tree", "--empty");
    // git does not store the empty tree.
    await writeFile(join(work, "always"), "x\n");
    await git(work, "update-index", "--add", "always");
    for (const [path, text] of files) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), text, "latin1");
      await git(work, "update-index", "--add", path);
    }
    const earlier = commits[(merged[at] ?? 0) % (2 * history.length)];
    const parents = [commits.at(-1), earlier === commits.at(-1) ? undefined : earlier];
    const args = parents.flatMap((parent) => (parent === undefined ? [] : ["-p", parent]));
    const date = `${1_700_000_000 + 60 * at} +0000`;
    const tree = (await git(work, "write-tree")).trim();
    const by = ["env", `GIT_COMMITTER_DATE=${date}`, `GIT_AUTHOR_DATE=${date}`];
    const child = Bun.spawn([...by, "git", "-C", work, ...identity, "commit-tree", tree, ...args, "-m", `${at}`]);
    commits.push((await child.stdout.text()).trim());
  }
  const last = commits.at(-1) as string;
  await git(work, "update-ref", "refs/heads/main", last);
  return last;
}

const identity = ["-c", "user.name=M", "-c", "user.email=m@example.com"];

test("blames the commits that git blames, over merges and renames, in random histories", async () => {
  let lines = 0;
  const compare = fc.asyncProperty(histories, fc.array(fc.nat(40)), async (history, merged) => {
    await using folder = await createTempFolder();
    const { repositories, work } = await emptyRepository(folder.path);
    const head = await commitWithMerges(work, history, merged);
    for (const path of history.at(-1)?.keys() ?? []) {
      const expected = await blamedByGit(work, head, path);
      lines += expected.length;
      expect(await blamed(repositories, head, path, expected.length)).toEqual(expected);
    }
  });
  await fc.assert(compare, { numRuns: 12, seed });
  expect(lines).toBeGreaterThan(200);
}, 240_000);

test("blames a file with a long history in a thread", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  const commit = (at: number) =>
    `commit refs/heads/main\ncommitter M <m@example.com> ${1_700_000_000 + at} +0000\ndata 1\nx\n` +
    `M 100644 inline a/b/c/${at % 5 === 0 ? "file" : "other"}\n${contentAt(at)}\n`;
  const contentAt = (at: number) => {
    const text = Array.from({ length: 200 }, (_, line) => `${line} ${at - ((at - line) % 200)}\n`).join("");
    return `data ${text.length}\n${text}`;
  };
  const input = Array.from({ length: 1_500 }, (_, at) => commit(at)).join("");
  const child = Bun.spawn(["git", "-C", work, "fast-import", "--quiet"], { stdin: new Blob([input]) });
  expect(await child.exited).toBe(0);
  const head = (await git(work, "rev-parse", "main")).trim();
  const expected = await blamedByGit(work, head, "a/b/c/file");
  expect(new Set(expected).size).toBeGreaterThan(30);
  expect(await blamed(repositories, head, "a/b/c/file", 200)).toEqual(expected);
}, 60_000);
