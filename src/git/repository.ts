import { requestPace } from "../domain/work-budget.ts";
import { stepLength } from "../lib/yield.ts";
import { type ArchiveFormat, archivePieces } from "./archiving/archive.ts";
import type { ArchiveOrder } from "./archiving/entries.ts";
import { type CommitRange, commitsInRange, topologicalCommits } from "./commit-ranges.ts";
import { countCommitChanges } from "./diff/commit-stats.ts";
import type { LineCounts } from "./diff/count-changes.ts";
import { commitsFrom, lastCommitOf, type WalkOptions } from "./history.ts";
import type { BlobStream } from "./objects/blob-stream.ts";
import { ObjectTooLarge } from "./objects/limits.ts";
import type { AnnotatedTag, Commit, ObjectReader, TreeEntry } from "./objects/objects.ts";
import type { RefList } from "./ref-list.ts";
import { branchPrefix, isOid, isRefName, type Refs, tagPrefix } from "./refs.ts";
import { isCrowded, isRepackDue } from "./repack-due.ts";
import { parseRevision } from "./revision.ts";

/** Tags that lead from one to the next; people make tags of tags by mistake. */
const tagDepthMax = 16;

/** One repository, to be read. One without any files yet reads like an empty one. */
export class Repository {
  readonly folder: string;
  protected readonly objects: ObjectReader;
  protected readonly ownRefs: Refs;

  constructor(objects: ObjectReader, refs: Refs) {
    this.folder = objects.folder;
    this.objects = objects;
    this.ownRefs = refs;
  }

  /** Whether the repository has so many packs or loose objects that joining them pays. */
  isRepackDue(): boolean {
    return isRepackDue(this.folder);
  }

  /** Whether it has so many packs that they are joined before it takes another one. */
  isCrowded(): boolean {
    return isCrowded(this.folder);
  }

  /** The commit of a branch; undefined when there is no such branch. */
  async branch(name: string): Promise<string | undefined> {
    return isRefName(name) ? this.ownRefs.read(`${branchPrefix}${name}`) : undefined;
  }

  /** The commit or annotated tag of a tag; undefined when there is no such tag. */
  async tag(name: string): Promise<string | undefined> {
    return isRefName(name) ? this.ownRefs.read(`${tagPrefix}${name}`) : undefined;
  }

  /** Names and what they name, by name. Throws `OverBudget`. */
  branches(): Promise<RefList> {
    return this.ownRefs.list(branchPrefix, branchPrefix);
  }

  /** The same for tags. */
  tags(): Promise<RefList> {
    return this.ownRefs.list(tagPrefix, tagPrefix);
  }

  /** Branches and tags by their full names, in order. */
  refs(): Promise<RefList> {
    return this.ownRefs.list("refs/");
  }

  /** The branch that `HEAD` names, whether there is one or not. */
  namedHead(): Promise<string | undefined> {
    return this.ownRefs.head();
  }

  /** The branch that a clone begins with; undefined when it is not there. */
  async headBranch(): Promise<string | undefined> {
    return (await this.#head())?.branch;
  }

  async #head(): Promise<{ readonly branch: string; readonly oid: string } | undefined> {
    const branch = await this.namedHead();
    const oid = branch === undefined ? undefined : await this.branch(branch);
    return branch === undefined || oid === undefined ? undefined : { branch, oid };
  }

  /**
   * Finds the commit of a revision as git reads it: a commit id, `HEAD`, a ref by its full name or without `refs/`, a tag, a branch,
   * or the beginning of an id, in this order, and steps from there (`main~2`, `v1^2`). undefined when there is no such commit.
   */
  async resolve(revision: string): Promise<Commit | undefined> {
    const { name, steps } = parseRevision(revision) ?? {};
    if (name === undefined || steps === undefined) return undefined;
    const oid = isOid(name) ? name : await this.#find(name);
    let commit = oid === undefined ? undefined : await this.commitOf(oid);
    for (const { parent, times } of steps) {
      for (let step = 0; parent > 0 && step < times && commit !== undefined; step += 1) {
        const next = commit.parent[parent - 1];
        commit = next === undefined ? undefined : await this.commitOf(next);
      }
    }
    return commit;
  }

  /** The commit that an object is, or that a tag leads to. Throws `ObjectTooLarge` for tags of tags without end. */
  async commitOf(oid: string): Promise<Commit | undefined> {
    let at = oid;
    for (let tags = 0; tags <= tagDepthMax; tags += 1) {
      const commit = await this.objects.commit(at);
      if (commit !== undefined) return commit;
      const tag = await this.annotatedTag(at);
      if (tag === undefined) return undefined;
      at = tag.object;
    }
    throw new ObjectTooLarge(`the tag ${oid} leads through more than ${tagDepthMax} other tags`);
  }

  /** undefined when the object is no annotated tag. */
  annotatedTag(oid: string): Promise<AnnotatedTag | undefined> {
    return this.objects.tag(oid);
  }

  tree(oid: string): Promise<readonly TreeEntry[]> {
    return this.objects.tree(oid);
  }

  /** Shows each entry of a tree to `visit`. Others have their turn in between. */
  async visitTree(oid: string, visit: (entry: TreeEntry) => void): Promise<void> {
    const pace = requestPace();
    for (const [at, entry] of (await this.tree(oid)).entries()) {
      visit(entry);
      if (at % stepLength === 0) await pace();
    }
  }

  /** Whether there is an object of this id, and it is a tree. */
  isTree(oid: string): Promise<boolean> {
    return this.objects.isTree(oid);
  }

  /** The id of the file with an id, of which a beginning is enough; undefined for what is no file. */
  async findBlob(id: string): Promise<string | undefined> {
    const oid = /^[0-9a-f]{4,40}$/.test(id) ? await this.objects.expand(id) : undefined;
    return oid !== undefined && (await this.objects.find(oid))?.type === "blob" ? oid : undefined;
  }

  /** The files of a commit in one archive, in pieces that are made as they are taken. */
  archive(order: ArchiveOrder, format: ArchiveFormat): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    return archivePieces(this, order, format);
  }

  /** Bytes of a file, without unpacking it. */
  blobSize(oid: string): Promise<number> {
    return this.objects.blobSize(oid);
  }

  async blob(oid: string): Promise<Uint8Array<ArrayBuffer>> {
    const [bytes] = await this.blobs([oid]);
    return bytes as Uint8Array<ArrayBuffer>;
  }

  /** The bytes of a file, or of a large one a stream that its taker closes. */
  content(oid: string): Promise<Uint8Array<ArrayBuffer> | BlobStream> {
    return this.objects.content(oid);
  }

  /** The same with its SHA-256, in hex. */
  async hashedContent(oid: string): Promise<{ content: Uint8Array<ArrayBuffer> | BlobStream; sha256: string }> {
    const content = await this.content(oid);
    try {
      const bytes = content instanceof Uint8Array ? content : undefined;
      return { content, sha256: await this.objects.sha256(oid, bytes) };
    } catch (error) {
      if (!(content instanceof Uint8Array)) content.close();
      throw error;
    }
  }

  /** The bytes of several files, in the same order. Waits while other requests have many unpacked. */
  blobs(oids: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
    return this.objects.blobs(oids);
  }

  /** The entry at a path below a tree; undefined if there is none. The empty path is the tree itself. */
  async entryAt(treeOid: string, path: string): Promise<TreeEntry | undefined> {
    let entry: TreeEntry = { mode: "040000", path: "", oid: treeOid, type: "tree" };
    for (const name of path === "" ? [] : path.split("/")) {
      if (entry.type !== "tree") return undefined;
      const found = await this.objects.treeEntry(entry.oid, name);
      if (found === undefined) return undefined;
      entry = found;
    }
    return entry;
  }

  /** Commits from these on, newest first, each once. Throws `OverBudget`. */
  history(from: readonly Commit[], options: WalkOptions = {}): AsyncGenerator<Commit> {
    return commitsFrom(this, from, options);
  }

  /** The same, each line of commits in one piece: no commit comes before one that it is a parent of. */
  topologicalHistory(from: readonly Commit[], options: WalkOptions = {}): Promise<Commit[]> {
    return topologicalCommits(this, from, options);
  }

  /** The ids of the commits of `a..b` or `a...b` (`rangeOf`). Throws `OverBudget`. */
  range(range: CommitRange): Promise<ReadonlySet<string>> {
    return commitsInRange(this, range);
  }

  /** The newest commit from `head` on that changed a path. */
  lastCommitOf(head: Commit, path: string): Promise<Commit> {
    return lastCommitOf(this, head, path, this.objects.lastCommits);
  }

  /** The numbers of lines that a commit adds and removes in its first parent. Throws `OverBudget`. */
  async changesOf(commit: Commit): Promise<LineCounts> {
    const key = `${this.folder} ${commit.oid}`;
    const known = this.objects.lineCounts.get(key);
    if (known !== undefined) return known;
    const counts = await countCommitChanges(this, commit);
    this.objects.lineCounts.set(key, counts);
    return counts;
  }

  async #find(revision: string): Promise<string | undefined> {
    if (revision === "HEAD" || revision === "@") return (await this.#head())?.oid;
    const named =
      (await this.ownRefs.read(revision)) ??
      (await this.ownRefs.read(`refs/${revision}`)) ??
      (await this.tag(revision)) ??
      (await this.branch(revision));
    if (named !== undefined) return named;
    return /^[0-9a-f]{4,39}$/.test(revision) ? this.objects.expand(revision) : undefined;
  }
}
