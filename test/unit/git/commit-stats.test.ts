import { expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { countCommitChanges } from "../../../src/git/diff/commit-stats.ts";
import { Repositories } from "../../../src/git/index.ts";
import { copyingWorker, packWorker } from "../../../src/workers.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const place = { kind: "project", id: 1, storage: "default" } as const;

async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
  const by = ["-c", "user.name=M", "-c", "user.email=m@example.com", "-c", "init.defaultBranch=main"];
  const child = Bun.spawn(["git", ...by, "-C", folder, ...args], { env, stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed:\n${error}${out}`);
  return out;
}

/** A repository of the server and a working tree of git's for it. */
async function emptyRepository(folder: string) {
  const repositories = new Repositories({
    storages: [{ name: "default", folder: undefined }],
    dataFolder: folder,
    generation: "0001",
    isReadOnly: () => false,
    copyingWorker,
    packWorker,
  });
  const bare = repositories.folderOf(place);
  await mkdir(dirname(bare), { recursive: true });
  await git(folder, "init", "-q", "--bare", bare);
  const work = join(folder, "work");
  await mkdir(work);
  await writeFile(join(work, ".git"), `gitdir: ${bare}\n`);
  await git(work, "config", "core.bare", "false");
  await git(work, "config", "core.worktree", work);
  return { repositories, work };
}

type Files = ReadonlyMap<string, string>;

async function commitAll(work: string, before: Files, after: Files): Promise<void> {
  for (const path of before.keys()) if (!after.has(path)) await rm(join(work, path));
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), text, "latin1");
  }
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "--allow-empty", "--no-gpg-sign", "-m", "Change");
}

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

async function expectCountsOfGit(histories: readonly Files[]): Promise<void> {
  await using folder = await createTempFolder();
  const { repositories, work } = await emptyRepository(folder.path);
  let before: Files = new Map();
  for (const after of histories) {
    await commitAll(work, before, after);
    before = after;
  }
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

/** Lines of code as they are: some are everywhere, most are nowhere else. */
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "}", "  }", "return;") },
  { weight: 4, arbitrary: fc.nat(60).map((number) => `call(${number});`) },
  { weight: 3, arbitrary: fc.nat(100_000).map((number) => `const value${number} = ${number};`) },
);
const text = fc
  .tuple(
    fc.array(line, { maxLength: 120 }),
    fc.constantFrom("\n", "\n", "\n", ""),
    fc.constantFrom("", "", "", "", "\0"),
  )
  .map(([lines, end, binary]) => `${binary}${lines.join("\n")}${lines.length > 0 ? end : ""}`);
const edit = fc.record({ at: fc.nat(130), removed: fc.nat(25), added: fc.array(line, { maxLength: 25 }) });
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      file: fc.nat(),
      edits: fc.array(edit, { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("write" as const), file: fc.nat(), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), file: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      file: fc.nat(),
      to: fc.nat(),
      edits: fc.array(edit, { maxLength: 2 }),
    }),
  },
);

const paths = ["a.ts", "b.ts", "c/a.ts", "c/d/b.ts", "e/f.ts", "e/g.ts", "h", "i.md"];

function edited(before: string, edits: readonly { at: number; removed: number; added: readonly string[] }[]): string {
  const lines = before.split("\n");
  for (const { at, removed, added } of edits) lines.splice(Math.min(at, lines.length), removed, ...added);
  return lines.join("\n");
}

function changed(before: Files, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]): Files {
  const after = new Map(before);
  const pathOf = (number: number) => paths[number % paths.length] as string;
  for (const each of changes) {
    const path = pathOf(each.file);
    const now = after.get(path);
    if (each.kind === "write") after.set(path, each.text);
    else if (now === undefined) continue;
    else if (each.kind === "edit") after.set(path, edited(now, each.edits));
    else after.delete(path);
    if (each.kind === "move" && now !== undefined) after.set(pathOf(each.to), edited(now, each.edits));
  }
  return after;
}

test("counts what git counts, in random histories", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 12 }),
      async (all) => {
        const histories: Files[] = [];
        for (const changes of all) histories.push(changed(histories.at(-1) ?? new Map(), changes));
        await expectCountsOfGit(histories);
      },
    ),
    { numRuns: 12, seed },
  );
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
