/** Random histories of two branches, which merge each other now and then. */

import { expect } from "bun:test";
import fc from "fast-check";
import { git } from "./histories.ts";

/** A file, or a link to its text. */
interface DrawnFile {
  readonly mode: "100644" | "100755" | "120000";
  readonly text: string;
}

type DrawnFiles = ReadonlyMap<string, DrawnFile>;

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "}", "  }", "return;") },
  { weight: 4, arbitrary: fc.nat(40).map((number) => `call(${number});`) },
  { weight: 2, arbitrary: fc.nat(10_000).map((number) => `const value${number} = ${number};`) },
);
const lines = fc.array(line, { minLength: 4, maxLength: 40 });
const edits = fc.array(fc.record({ at: fc.nat(40), removed: fc.nat(4), added: fc.array(line, { maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 3,
});
const change = fc.record({
  kind: fc.constantFrom(
    "edit",
    "edit",
    "edit",
    "edit",
    "add",
    "remove",
    "move",
    "moveFolder",
    "mode",
    "link",
    "binary",
    "replace",
  ),
  file: fc.nat(),
  to: fc.nat(),
  lines,
  edits,
});
const changes = fc.array(change, { minLength: 1, maxLength: 4 });
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Two lines of commits on a common beginning; `isCrossed`: each merges the other one before its last commits. */
export const forks = fc.record({
  base: fc.array(lines, { minLength: 4, maxLength: 9 }),
  one: fc.array(changes, { minLength: 2, maxLength: 4 }),
  other: fc.array(changes, { minLength: 2, maxLength: 4 }),
  crossings: fc.array(fc.constantFrom("ours", "theirs", "both"), { maxLength: 4 }),
});

type Forks = typeof forks extends fc.Arbitrary<infer T> ? T : never;

const paths = [
  "a.ts",
  "b.ts",
  "c/a.ts",
  "c/b.ts",
  "c/d/a.ts",
  "c/d/e.ts",
  "f/g.ts",
  "f/h.ts",
  "f",
  "c",
  "i/a.ts",
  "i/b.ts",
  "k/d/a.ts",
];
const folders = ["c", "f", "i", "c/d", "k", "m", "m/n"];
const pathAt = (number: number) => paths[number % paths.length] as string;

function changed(before: DrawnFiles, all: readonly Change[]): DrawnFiles {
  const after = new Map(before);
  const put = (path: string, file: DrawnFile) => {
    for (const other of [...after.keys()]) {
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) after.delete(other);
    }
    after.set(path, file);
  };
  for (const { kind, file, to, lines, edits } of all) {
    const known = [...after.keys()];
    const path = known[file % Math.max(known.length, 1)];
    const now = path === undefined ? undefined : after.get(path);
    if (kind === "add" || path === undefined || now === undefined) put(pathAt(to), plain(lines));
    else if (kind === "edit") put(path, { ...now, text: edited(now.text, edits) });
    else if (kind === "remove") after.delete(path);
    else if (kind === "mode") put(path, { ...now, mode: now.mode === "100644" ? "100755" : "100644" });
    else if (kind === "link") put(path, { mode: "120000", text: lines.at(-1) || "x" });
    else if (kind === "binary") put(path, { mode: "100644", text: `\0${lines.join("\n")}` });
    else if (kind === "replace") put(path, plain(lines));
    else if (kind === "move") {
      after.delete(path);
      put(pathAt(to), edits.length > 1 ? { ...now, text: edited(now.text, edits.slice(1)) } : now);
    } else moveFolder(after, put, folders[file % folders.length] as string, folders[to % folders.length] as string);
  }
  return after;
}

function moveFolder(
  files: Map<string, DrawnFile>,
  put: (path: string, file: DrawnFile) => void,
  from: string,
  to: string,
): void {
  if (from === to || to.startsWith(`${from}/`)) return;
  for (const [path, file] of [...files]) {
    if (!path.startsWith(`${from}/`)) continue;
    files.delete(path);
    put(`${to}${path.slice(from.length)}`, file);
  }
}

const plain = (lines: readonly string[]): DrawnFile => ({ mode: "100644", text: `${lines.join("\n")}\n` });

function edited(text: string, all: Change["edits"]): string {
  const found = text.split("\n");
  for (const { at, removed, added } of all) found.splice(Math.min(at, found.length), removed, ...added);
  return found.join("\n");
}

/** Imports both branches as `one` and `other`. */
export async function importForks(work: string, { base, one, other, crossings }: Forks): Promise<void> {
  const input: Buffer[] = [];
  let mark = 0;
  const commit = (branch: string, files: DrawnFiles, parents: readonly number[]) => {
    mark += 1;
    const links = parents.map((parent, at) => `${at === 0 ? "from" : "merge"} :${parent}\n`).join("");
    const head = `commit refs/heads/${branch}\nmark :${mark}\n`;
    input.push(
      Buffer.from(`${head}committer M <m@example.com> ${1_700_000_000 + mark} +0000\ndata 1\nx\n${links}deleteall\n`),
    );
    for (const [path, { mode, text }] of files) {
      const bytes = Buffer.from(text, "latin1");
      input.push(Buffer.from(`M ${mode} inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n"));
    }
    return { files, mark };
  };
  const first = new Map(base.map((each, at) => [paths[at % 8] as string, plain(each)] as const));
  let [mine, theirs] = [commit("one", first, []), undefined as ReturnType<typeof commit> | undefined];
  theirs = commit("other", first, [mine.mark]);
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    mine = commit("one", changed(mine.files, one[at] ?? []), [mine.mark]);
    theirs = commit("other", changed(theirs.files, other[at] ?? []), [theirs.mark]);
    const crossing = crossings[at];
    if (crossing === undefined || at + 1 >= Math.max(one.length, other.length)) continue;
    const [oneBefore, otherBefore]: [typeof mine, typeof mine] = [mine, theirs];
    if (crossing !== "theirs") mine = commit("one", mine.files, [oneBefore.mark, otherBefore.mark]);
    if (crossing !== "ours") theirs = commit("other", theirs.files, [otherBefore.mark, oneBefore.mark]);
  }
  const child = Bun.spawn(["git", "-C", work, "fast-import", "--quiet"], {
    stdin: new Blob(input as Buffer<ArrayBuffer>[]),
  });
  expect(await child.exited).toBe(0);
}

/** What git makes of a merge. */
export async function mergedByGit(
  work: string,
  ...args: readonly string[]
): Promise<{ tree: string; conflicts: string[]; isClean: boolean }> {
  const child = Bun.spawn(
    ["git", "-C", work, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ...args],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const status = await child.exited;
  if (status > 1) throw new Error(`git merge-tree failed: ${error}`);
  const [tree, ...conflicts] = out.split("\0").filter(Boolean);
  return { tree: tree as string, conflicts: conflicts.sort(), isClean: status === 0 };
}

export { git };
