import { expect, test } from "bun:test";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { DiffLimits, FileDiff, Repositories, TreeDiff } from "../../../src/git/index.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { commitHistory, emptyRepository, git, histories, place } from "./histories.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const everything: DiffLimits = { filesMax: 10_000, linesMax: 1e9, bytesMax: 1e9, fileBytesMax: 1e9 };

const asker = { reader: { name: "a test", isStranger: false }, gone: new AbortController().signal };

function diffOf(repositories: Repositories, revision: string, limits = everything): Promise<TreeDiff> {
  return repositories.read(place, async (repository) => {
    const commit = await repository.resolve(revision);
    const parent = commit?.parent[0] === undefined ? undefined : await repository.commitOf(commit.parent[0]);
    const trees = { before: parent?.tree, after: commit?.tree, limits };
    return repositories.computing.diff(repository, trees, asker);
  });
}

/** The hunks of each file in a patch of git's, by the paths; blank where there are none. */
function hunksIn(patch: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const names = /^diff --git a\/(.*) b\/(.*)$/m.exec(part);
    if (names === null) continue;
    const start = part.search(/^(@@ |Binary files )/m);
    found.set(`${names[1]} ${names[2]}`, start === -1 ? "" : part.slice(start));
  }
  return found;
}

function patchOf(files: readonly FileDiff[]): string {
  return files.map((file) => `diff --git a/${file.oldPath} b/${file.newPath}\n${headOf(file)}${file.text}`).join("");
}

function headOf({ oldPath, newPath, oldMode, newMode, isNew, isDeleted, text }: FileDiff): string {
  const modes = isNew
    ? `new file mode ${newMode}\n`
    : isDeleted
      ? `deleted file mode ${oldMode}\n`
      : oldMode === newMode
        ? ""
        : `old mode ${oldMode}\nnew mode ${newMode}\n`;
  const names = oldPath === newPath ? "" : `rename from ${oldPath}\nrename to ${newPath}\n`;
  const files = `--- ${isNew ? "/dev/null" : `a/${oldPath}`}\n+++ ${isDeleted ? "/dev/null" : `b/${newPath}`}\n`;
  return modes + names + (text === "" ? "" : files);
}

interface Tally {
  files: number;
  same: number;
}

/** Compares the diff of each commit with git's, and has git apply those of texts. */
async function tallyCommits(repositories: Repositories, work: string, tally: Tally): Promise<void> {
  const oids = (await git(work, "rev-list", "--reverse", "HEAD")).trim().split("\n");
  const empty = (await git(work, "hash-object", "-t", "tree", "/dev/null")).trim();
  for (const [at, oid] of oids.entries()) {
    const before = at === 0 ? empty : `${oid}^`;
    const { files } = await diffOf(repositories, oid);
    const expected = hunksIn(await git(work, "diff", "-M50%", before, oid));
    expect(new Set(files.map((file) => `${file.oldPath} ${file.newPath}`))).toEqual(new Set(expected.keys()));
    for (const file of files) {
      tally.files += 1;
      tally.same += expected.get(`${file.oldPath} ${file.newPath}`) === file.text ? 1 : 0;
    }
    if (files.some(({ isBinary }) => isBinary) || files.length === 0) continue;
    await writeFile(join(work, ".git-patch"), patchOf(files));
    await git(work, "read-tree", before);
    await git(work, "apply", "--cached", ".git-patch");
    expect(await git(work, "write-tree")).toBe(await git(work, "rev-parse", `${oid}^{tree}`));
  }
  await git(work, "read-tree", "HEAD");
}

test("shows the hunks and renames of git, in random histories, and git applies them", async () => {
  const tally = { files: 0, same: 0 };
  const compare = fc.asyncProperty(histories, async (history) => {
    await using folder = await createTempFolder();
    const { repositories, work } = await emptyRepository(folder.path);
    await commitHistory(work, history);
    await tallyCommits(repositories, work, tally);
  });
  await fc.assert(compare, { numRuns: 12, seed });
  expect(tally.files).toBeGreaterThan(30);
  expect(tally.same / tally.files).toBeGreaterThanOrEqual(0.99);
}, 240_000);

test("shows the hunks of git between two builds of packages", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  const modules = join(import.meta.dir, "../../../node_modules");
  const builds = [
    ["yaml/browser/dist", "yaml/dist"],
    ["@sinclair/typebox/build/esm", "@sinclair/typebox/build/cjs"],
  ] as const;
  const tally = { files: 0, same: 0 };
  for (const build of builds.flat()) {
    await rm(join(work, "package"), { recursive: true, force: true });
    await cp(join(modules, build), join(work, "package"), { recursive: true });
    await git(work, "add", "-A");
    await git(work, "commit", "-q", "-m", "Build");
  }
  await tallyCommits(repositories, work, tally);
  expect(tally.files).toBeGreaterThan(500);
  expect(tally.same / tally.files).toBeGreaterThanOrEqual(0.99);
}, 120_000);

test("shows links, submodules, modes and binary files as git does", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await writeFile(join(work, "a"), "one\n");
  await writeFile(join(work, "tool"), "#!/bin/sh\n");
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "-m", "Begin");
  const head = (await git(work, "rev-parse", "HEAD")).trim();
  await rm(join(work, "a"));
  await git(work, "update-index", "--chmod=+x", "tool");
  const link = (await git(work, "hash-object", "-w", "tool")).trim();
  await git(work, "update-index", "--add", "--cacheinfo", `120000,${link},a`);
  await git(work, "update-index", "--add", "--cacheinfo", `160000,${head},module`);
  await writeFile(join(work, "picture"), Buffer.from([1, 0, 2]));
  await git(work, "add", "picture");
  await git(work, "commit", "-q", "-m", "Change kinds");
  const { files, isCut } = await diffOf(repositories, "HEAD");
  expect(isCut).toBe(false);
  const shown = files.map((file) => [file.newPath, file.oldMode, file.newMode, file.text]);
  expect(shown).toEqual([
    ["a", "100644", "0", "@@ -1 +0,0 @@\n-one\n"],
    ["a", "0", "120000", "@@ -0,0 +1 @@\n+#!/bin/sh\n"],
    ["module", "0", "160000", `@@ -0,0 +1 @@\n+Subproject commit ${head}\n`],
    ["picture", "0", "100644", "Binary files /dev/null and b/picture differ\n"],
    ["tool", "100644", "100755", ""],
  ]);
});

test("keeps to its limits, and long work to a thread", async () => {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  await mkdir(join(work, "many"));
  const text = (lines: number, name: string) => Array.from({ length: lines }, (_, at) => `${name} ${at}\n`).join("");
  for (let at = 10; at < 40; at += 1) await writeFile(join(work, `many/${at}`), text(1_000, String(at)));
  await writeFile(join(work, "large"), text(60_000, "large"));
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "-m", "Add many");
  const all = await diffOf(repositories, "HEAD");
  expect([all.files.length, all.isCut]).toEqual([31, false]);
  const shown = async (limits: Partial<DiffLimits>) => {
    const { files, isCut } = await diffOf(repositories, "HEAD", { ...everything, ...limits });
    return [
      files.length,
      isCut,
      files.filter((file) => file.isTooLarge).length,
      files.filter((file) => file.isCollapsed).length,
    ];
  };
  expect(await shown({ filesMax: 3 })).toEqual([3, true, 0, 0]);
  expect(await shown({ fileBytesMax: 100_000 })).toEqual([31, false, 1, 0]);
  expect(await shown({ fileBytesMax: 100_000, linesMax: 5_000 })).toEqual([5, true, 1, 0]);
  expect(await shown({ fileBytesMax: 100_000, bytesMax: 20_000 })).toEqual([3, true, 1, 0]);
  const collapsedAbove = { filesMax: 3, linesMax: 1e9, bytesMax: 1e9, fileBytesMax: 100_000 };
  expect(await shown({ collapsedAbove })).toEqual([31, false, 0, 29]);
  expect(all.files.find(({ newPath }) => newPath === "many/10")?.text).toStartWith("@@ -0,0 +1,1000 @@\n+10 0\n");
});
