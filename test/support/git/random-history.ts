import { readFileSync } from "node:fs";
import type { Random } from "../checks/random.ts";
import { runGit } from "./stock-git.ts";

/** A history as git has it. */
export interface RandomHistory {
  /** The oldest first. */
  readonly commits: readonly string[];
  /** Objects that refs name: commits, annotated tags, tags of tags, a tag of a tree and one of a file. */
  readonly tips: readonly string[];
}

type Files = ReadonlyMap<string, string>;

/**
 * Fills a bare repository with merges, reverts, renames, empty commits, submodules, and clocks that lie: by one stream of
 * `git fast-import`.
 */
export function randomHistory(random: Random, repository: string, count: number): RandomHistory {
  const stream: string[] = [];
  const trees: Files[] = [];
  const put = (text: string) => stream.push(`data ${Buffer.byteLength(text)}\n${text}\n`);
  const oneOf = (from: number, to: number) => random.integer(Math.max(0, from), to);
  let now = 1_700_000_000;
  for (let at = 0; at < count; at += 1) {
    now += random.integer(-400_000, 500_000);
    const parents = at === 0 || random.fraction() < 0.03 ? [] : [oneOf(at - 6, at - 1)];
    while (at > 2 && parents.length > 0 && parents.length < 4 && random.fraction() < 0.25) {
      const other = oneOf(at - 20, at - 1);
      if (!parents.includes(other)) parents.push(other);
    }
    const before = trees[parents[0] ?? -1] ?? new Map<string, string>();
    const after = changed(random, before, trees);
    trees.push(after);
    stream.push(`commit refs/heads/b${at}\nmark :${at + 1}\n`);
    stream.push(`author Ann <ann@example.com> ${now} +0100\ncommitter Ann <ann@example.com> ${now} -0330\n`);
    put(random.text(random.integer(0, 80)));
    for (const [place, parent] of parents.entries()) stream.push(`${place === 0 ? "from" : "merge"} :${parent + 1}\n`);
    stream.push("deleteall\n");
    for (const [path, text] of after) {
      if (text.startsWith("submodule ")) stream.push(`M 160000 ${text.slice("submodule ".length)} ${path}\n`);
      else {
        stream.push(`M ${text.length % 5 === 0 ? "100755" : "100644"} inline ${path}\n`);
        put(text);
      }
    }
  }
  runGit(repository, ["fast-import", "--quiet", "--force", `--export-marks=${repository}/marks`], stream.join(""));
  const commits = markedIn(repository);
  return { commits, tips: [...tagSome(random, repository, commits), ...commits.slice(-3)] };
}

/** The commits by their marks. */
function markedIn(repository: string): string[] {
  return readFileSync(`${repository}/marks`, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .sort(([one = ""], [other = ""]) => Number(one.slice(1)) - Number(other.slice(1)))
    .map(([, oid = ""]) => oid);
}

/** A tree that differs by a few files, is another one's, or is empty. */
function changed(random: Random, before: Files, all: readonly Files[]): Files {
  const draw = random.fraction();
  if (draw < 0.08 && all.length > 0) return all[random.integer(0, all.length - 1)] as Files;
  if (draw < 0.1) return new Map();
  if (draw < 0.15) return before;
  const after = new Map(before);
  for (let change = random.integer(1, 4); change > 0; change -= 1) {
    const paths = [...after.keys()];
    const path = paths[random.integer(0, Math.max(0, paths.length - 1))];
    const kind = random.integer(0, 5);
    if (kind === 0 && path !== undefined) after.delete(path);
    else if (kind === 1 && path !== undefined) {
      after.set(newPath(random), after.get(path) as string);
      after.delete(path);
    } else if (kind === 2 && path !== undefined) {
      after.set(path, `${after.get(path)}${"x".repeat(random.integer(0, 30))}${random.text(40)}\n`);
    } else if (kind === 3) after.set(`sub${random.integer(0, 3)}`, `submodule ${"123456789a".repeat(4)}`);
    else after.set(newPath(random), `${random.text(random.integer(0, 2_000))}\n`);
  }
  for (const [path, text] of after) {
    // A submodule that was renamed or changed is none any more.
    if (text.startsWith("submodule ") && text.length !== 50) after.set(path, `was a ${text}`);
  }
  return after;
}

function newPath(random: Random): string {
  const folders = Array.from({ length: random.integer(0, 3) }, () => `d${random.integer(0, 2)}`);
  return [...folders, `f${random.integer(0, 30)}`].join("/");
}

function tagSome(random: Random, repository: string, commits: readonly string[]): string[] {
  const oneOf = () => commits[random.integer(0, commits.length - 1)] as string;
  const tag = (name: string, object: string) => {
    runGit(repository, ["tag", "-a", "-m", `tag ${name}`, name, object]);
    return runGit(repository, ["rev-parse", `refs/tags/${name}`]).trim();
  };
  const plain = tag("plain", oneOf());
  const tree = tag("tree", runGit(repository, ["rev-parse", `${oneOf()}^{tree}`]).trim());
  const blob = tag("file", runGit(repository, ["hash-object", "-w", "--stdin"], random.text(60)).trim());
  return [plain, tag("tag-of-tag", plain), tree, blob];
}
