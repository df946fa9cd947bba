import { requestPace } from "../domain/work-budget.ts";
import type { BoundedCache } from "../lib/bounded-cache.ts";
import type { Pace } from "../lib/yield.ts";
import { commonOf, type Reading, reachedFrom, requestBounds } from "./ancestry.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { Commit, TreeEntry } from "./objects/objects.ts";
import type { Repository } from "./repository.ts";

/** The commits that a walk takes, as `git log` chooses them. */
export interface WalkOptions {
  /** Only commits that changed it. */
  readonly path?: string | undefined;
  readonly firstParentOnly?: boolean | undefined;
  /** In seconds. Older commits are left out, and what only they lead to. */
  readonly since?: number | undefined;
  /** The ids of the commits that may be walked; all may when it is left out. */
  readonly within?: ReadonlySet<string> | undefined;
  /** Awaited after each commit. */
  readonly pace?: Pace | undefined;
}

/** A commit that a walk comes by. */
export interface Walked {
  readonly commit: Commit;
  /** True when the walk's result has it: other commits did not change the path. */
  readonly isShown: boolean;
  /** The ids of the commits where the walk continues. */
  readonly next: readonly string[];
}

/** Commits from `from` on, newest first, each once. */
export async function* commitsFrom(
  repository: Repository,
  from: readonly Commit[],
  options: WalkOptions = {},
): AsyncGenerator<Commit> {
  for await (const { commit, isShown } of walkFrom(repository, from, options)) if (isShown) yield commit;
}

/**
 * Walks commits from `from` on, newest first, each once. With a path, where a merge has it from one parent unchanged, the others
 * are not walked, as git simplifies histories.
 */
export async function* walkFrom(
  repository: Repository,
  from: readonly Commit[],
  { path = "", within, pace, ...followed }: WalkOptions,
): AsyncGenerator<Walked> {
  const seen = new Set<string>();
  const waiting = new CommitQueue();
  const at = new PathInTrees(repository, path);
  const add = (commit: Commit) => {
    if (seen.has(commit.oid)) return;
    seen.add(commit.oid);
    waiting.push(commit);
  };
  for (const commit of from) add(commit);
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    const turn = pace?.();
    if (turn !== undefined && turn !== true) await turn;
    if (commit.committer.timestamp < (followed.since ?? 0) || within?.has(commit.oid) === false) continue;
    const parents = await parentsOf(repository, commit, followed);
    const own = path === "" ? undefined : await at.entryOf(commit);
    const same = path === "" ? undefined : await at.firstWith(parents, own);
    const next = same === undefined ? parents : [same];
    const isShown = path === "" || (same === undefined && (own !== undefined || parents.length > 0));
    yield { commit, isShown, next: next.map(({ oid }) => oid) };
    for (const parent of next) add(parent);
  }
}

/**
 * The newest commit from `head` on that changed the entry at a path; the first of all when none did. A result for a
 * commit holds for each later one that does not touch the path, so a walk ends where an earlier one began.
 */
export async function lastCommitOf(
  repository: Repository,
  head: Commit,
  path: string,
  cache: BoundedCache<Commit>,
): Promise<Commit> {
  const keyOf = ({ oid }: Commit) => `${repository.folder} ${oid} ${path}`;
  const inTrees = new PathInTrees(repository, path);
  let at = head;
  let found = cache.get(keyOf(at));
  while (found === undefined) {
    const parents = await parentsOf(repository, at);
    const same = await inTrees.firstWith(parents, await inTrees.entryOf(at));
    if (same === undefined) found = at;
    else at = same;
    found ??= cache.get(keyOf(at));
  }
  cache.set(keyOf(head), found);
  return found;
}

/** How a walk gives way to other work, and how far it goes. */
export interface LongWalk {
  /** Awaited after each commit. */
  pace(): Promise<unknown> | unknown;
  readonly commitsMax: number;
}

/** Reads the commits that a walk asks for. Throws `OverBudget`. */
export async function readLinked<R>(
  repository: Repository,
  reading: Reading<R>,
  pace: LongWalk["pace"] = requestPace(),
): Promise<R> {
  for (let step = reading.next(); ; ) {
    if (step.done === true) return step.value;
    const commit = await repository.commitOf(step.value);
    await pace();
    step = reading.next(commit && { oid: commit.oid, parents: commit.parent, time: commit.committer.timestamp });
  }
}

/** The commits of `wanted` that can be reached from a commit. */
export function reachable(
  repository: Repository,
  from: Commit,
  wanted: readonly Commit[],
  { pace, commitsMax }: Partial<LongWalk> = {},
): Promise<ReadonlySet<string>> {
  const oids = wanted.map(({ oid }) => oid);
  const bounds = { ...requestBounds, ...(commitsMax === undefined ? {} : { commitsMax }) };
  return readLinked(repository, reachedFrom([from.oid], oids, bounds), pace);
}

/** Commits that a search for a common one reads: longer histories have none that it knows of. */
const commonCommitsMax = 5_000;

/** The newest commit that two commits have in common; undefined for none, and for one that is too far away. */
export async function mergeBase(
  repository: Repository,
  one: Commit,
  other: Commit,
  commitsMax = commonCommitsMax,
): Promise<Commit | undefined> {
  const [oid] = await readLinked(repository, commonOf(one.oid, other.oid, commitsMax));
  return oid === undefined ? undefined : repository.commitOf(oid);
}

/** The parents of a commit that a walk follows. */
export async function parentsOf(
  repository: Repository,
  { parent }: Commit,
  { firstParentOnly = false, since = 0 }: Pick<WalkOptions, "firstParentOnly" | "since"> = {},
): Promise<Commit[]> {
  const oids = firstParentOnly ? parent.slice(0, 1) : parent;
  const parents: Commit[] = [];
  // One after the other: each is charged before it is read, and opens files.
  for (const oid of oids) {
    const found = await repository.commitOf(oid);
    if (found !== undefined && found.committer.timestamp >= since) parents.push(found);
  }
  return parents;
}

/** The entry at one path in the trees of many commits; what is below a folder is looked up once for each state of the folder. */
class PathInTrees {
  readonly #repository: Repository;
  readonly #names: readonly string[];
  /** By the folder and the number of names above it. */
  readonly #known = new Map<string, string | undefined>();

  constructor(repository: Repository, path: string) {
    this.#repository = repository;
    this.#names = path.split("/");
  }

  /** The object with its mode: changing the mode of a file is a change of it. */
  async entryOf({ tree }: Commit): Promise<string | undefined> {
    const walked: string[] = [];
    const named = await this.#walk(tree, walked);
    for (const key of walked) this.#known.set(key, named);
    return named;
  }

  async #walk(root: string, walked: string[]): Promise<string | undefined> {
    let found: Pick<TreeEntry, "mode" | "oid" | "type"> = { mode: "040000", oid: root, type: "tree" };
    for (const [at, name] of this.#names.entries()) {
      if (found.type !== "tree") return undefined;
      const key = `${at} ${found.oid}`;
      if (this.#known.has(key)) return this.#known.get(key);
      walked.push(key);
      const entry = await this.#repository.entryAt(found.oid, name);
      if (entry === undefined) return undefined;
      found = entry;
    }
    return `${found.mode} ${found.oid}`;
  }

  async firstWith(commits: readonly Commit[], wanted: string | undefined): Promise<Commit | undefined> {
    for (const commit of commits) if ((await this.entryOf(commit)) === wanted) return commit;
    return undefined;
  }
}
