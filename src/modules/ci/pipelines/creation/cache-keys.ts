/** The keys of caches that follow from files: `cache: key: { files, files_commits, prefix }`. */

import { createHash } from "node:crypto";
import type { Commit, Repository } from "../../../../git/index.ts";
import { type Budget, CiFileError, type CiFiles, FileMatcher, Globs } from "../../ci-config/index.ts";
import type { PlannedJob } from "./plan.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** The commit whose files give the keys. */
export interface KeySource {
  readonly repository: Repository;
  readonly commit: Commit;
  readonly files: CiFiles;
  readonly budget: Budget;
}

/** Different keys of one pipeline: each reads the repository. */
const keysMax = 100;
const unknownKey = "default";

/** The jobs with texts as keys of their caches: a key of files is the prefix and a hash of the files. Throws `CiFileError`. */
export async function resolveCacheKeys(jobs: readonly PlannedJob[], source: KeySource): Promise<readonly PlannedJob[]> {
  const known = new Map<string, string>();
  const keyOf = async (key: Mapping, index: number) => {
    const name = `${index} ${JSON.stringify(key)}`;
    const found = known.get(name) ?? (await keyOfFiles(key, index, source));
    known.set(name, found);
    if (known.size > keysMax)
      throw new CiFileError(`cache:key config has more than ${keysMax} different keys of files`);
    return found;
  };
  const resolved: PlannedJob[] = [];
  for (const job of jobs) {
    const { cache } = job.config;
    const caches: readonly unknown[] = Array.isArray(cache) ? cache : [cache];
    const isResolved = !caches.some((each) => isMapping(each) && isMapping(each.key));
    const texts = isResolved ? cache : await Promise.all(caches.map((each, index) => withKey(each, index, keyOf)));
    resolved.push(isResolved ? job : { ...job, config: { ...job.config, cache: texts } });
  }
  return resolved;
}

async function withKey(
  cache: unknown,
  index: number,
  keyOf: (key: Mapping, index: number) => Promise<string>,
): Promise<unknown> {
  return isMapping(cache) && isMapping(cache.key) ? { ...cache, key: await keyOf(cache.key, index) } : cache;
}

/** Without a prefix, the number of the cache and the names of the files stand in its place. */
async function keyOfFiles(key: Mapping, index: number, source: KeySource): Promise<string> {
  const contents = textsOf(key.files);
  const commits = textsOf(key.files_commits);
  const paths = contents.length > 0 ? contents : commits;
  const names = paths.map((path) => path.split(".", 1)[0]).join("_");
  const prefix = typeof key.prefix === "string" && key.prefix !== "" ? key.prefix : [index, names].join("_");
  const hashes = contents.length > 0 ? await hashesOf(contents, source) : await commitsOf(commits, source);
  return `${prefix}-${digestOf(hashes) ?? unknownKey}`;
}

/** The ids of the contents of files; those that do not exist are left out. */
async function hashesOf(patterns: readonly string[], { repository, commit, files, budget }: KeySource) {
  const paths: string[] = [];
  for (const pattern of patterns) {
    if (!pattern.includes("*")) paths.push(pattern);
    else paths.push(...(new FileMatcher(await files.files(), new Globs(budget)).like(pattern) ?? []));
  }
  const entries: string[] = [];
  for (const path of paths) {
    const entry = await repository.entryAt(commit.tree, path);
    if (entry !== undefined) entries.push(entry.oid);
  }
  return entries;
}

/** The last commits that changed files; those that do not exist are left out. */
async function commitsOf(paths: readonly string[], { repository, commit }: KeySource): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths) {
    if ((await repository.entryAt(commit.tree, path)) !== undefined)
      ids.push((await repository.lastCommitOf(commit, path)).oid);
  }
  return ids;
}

function digestOf(ids: readonly string[]): string | undefined {
  if (ids.length === 0) return undefined;
  const distinct = [...new Set(ids)].sort();
  return createHash("sha1").update(distinct.join("-")).digest("hex");
}

function textsOf(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(items.filter((item): item is string => typeof item === "string" && item !== ""))];
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
