/** Repositories with random histories, made by the stock client. */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { Repositories } from "../../../src/git/index.ts";
import { copyingWorker, packWorker } from "../../../src/workers.ts";

export const place = { kind: "project", id: 1, storage: "default" } as const;

/** Runs the stock client in a folder. Throws when it fails. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
  const by = ["-c", "user.name=M", "-c", "user.email=m@example.com", "-c", "init.defaultBranch=main"];
  const child = Bun.spawn(["git", ...by, "-C", folder, ...args], { env, stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed:\n${error}${out}`);
  return out;
}

/** A repository of the server and a working tree of git's for it. */
export async function emptyRepository(folder: string) {
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

export type Files = ReadonlyMap<string, string>;

export async function commitAll(work: string, before: Files, after: Files): Promise<void> {
  for (const path of before.keys()) if (!after.has(path)) await rm(join(work, path));
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), text, "latin1");
  }
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "--allow-empty", "--no-gpg-sign", "-m", "Change");
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

/** The files of each commit, oldest first. */
export const histories = fc
  .array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 12 })
  .map((all) => {
    const found: Files[] = [];
    for (const changes of all) found.push(changed(found.at(-1) ?? new Map(), changes));
    return found;
  });

/** Commits files one after the other. */
export async function commitHistory(work: string, history: readonly Files[]): Promise<void> {
  let before: Files = new Map();
  for (const after of history) {
    await commitAll(work, before, after);
    before = after;
  }
}
