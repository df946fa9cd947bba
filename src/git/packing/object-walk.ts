/** Finds the objects that a fetch sends. It runs in a thread of its own. */

import type { ObjectType } from "../objects/limits.ts";
import type { WalkBudget } from "./ancestry.ts";
import { type CommitHead, parseCommitHead, taggedObject } from "./commit-head.ts";
import type { ObjectFilter } from "./filter.ts";
import type { ObjectStore } from "./object-store.ts";
import { hexOf, OidList, OidTable } from "./oid-table.ts";
import { TimeQueue } from "./time-queue.ts";
import { FollowedTree, TreeCursor } from "./tree-cursor.ts";

/** A walk from wanted objects to those that the client has. */
export interface WalkRequest {
  readonly wants: readonly Uint8Array[];
  /** Objects that both sides have. */
  readonly haves: readonly Uint8Array[];
  /** Commits whose parents the client does not have. */
  readonly clientShallow: OidTable;
  /** Commits whose parents are not sent. */
  readonly newShallow: OidTable;
  readonly filter: ObjectFilter | undefined;
}

/** Flags of a commit: the client has it; a want leads to it; it is in the queue; its objects are collected. */
const has = 1;
const isWanted = 2;
const isQueued = 4;
const isCollected = 8;
/** Tags that name tags. */
const tagDepthMax = 100;

/** The parents of a merge that its trees are compared with, and the bytes of their trees at one place. */
const followedMax = 8;
const followedBytesMax = 64 << 20;

/** A tree that is walked, and the trees at its place that the client has. */
interface WaitingTree {
  readonly tree: Uint8Array;
  readonly others: readonly Uint8Array[];
  readonly depth: number;
}

interface WalkedCommit extends CommitHead {
  readonly oid: Uint8Array;
}

/** Collects the objects of one fetch. */
export class ObjectWalk {
  readonly #store: ObjectStore;
  readonly #request: WalkRequest;
  /** Flags of commits. */
  readonly #commits = new OidTable();
  readonly #queue = new TimeQueue<WalkedCommit>();
  readonly #haves = new OidTable();
  /** Commits in the queue that may have to be sent. */
  #open = 0;
  /** Commits that may have to be sent, in the order of the walk. */
  readonly #walked = new OidList();
  readonly found = new OidTable();
  /** Trees with the depth from which they were walked, where the filter has one. */
  readonly #walkedTrees = new OidTable();
  /** Tags, and what they lead to, of wants and haves: many may lead to the same. */
  readonly #peeled = { wants: new OidTable(), haves: new OidTable() };

  constructor(store: ObjectStore, request: WalkRequest) {
    this.#store = store;
    this.#request = request;
    for (const have of request.haves) this.#haves.add(have);
  }

  /** The objects to send. Throws for a history that is damaged. */
  collect(): OidTable {
    const direct: { readonly oid: Uint8Array; readonly type: ObjectType }[] = [];
    const tips: Uint8Array[] = [];
    for (const want of this.#request.wants) this.#peel(want, tips, direct);
    this.#walkCommits(tips);
    const isPartial = this.#request.haves.length > 0;
    // The oldest first: what a commit has in common with its parents was collected, or the client has it.
    for (const oid of this.#walked.reversed()) {
      const flags = this.#flags(oid);
      if ((flags & has) !== 0) continue;
      if (this.#wantsType("commit")) this.found.add(oid);
      this.#walkTreeOf(this.#commit(oid), isPartial);
      this.#commits.set(oid, 0, flags | isCollected);
    }
    for (const { oid, type } of direct) {
      this.found.add(oid);
      if (type === "tree") this.#walkTree(oid, [], 0);
    }
    // The filter does not hold for objects that the client asks for by their ids.
    for (const want of this.#request.wants) if (!this.#isCommon(want)) this.found.add(want);
    return this.found;
  }

  /** The commits among the objects to send, or fewer of them where `budget` ends the walk. Call it in place of `collect`. */
  countCommits(budget: WalkBudget): number {
    this.#walkCommits(this.#request.wants, budget);
    let count = 0;
    for (const oid of this.#walked.reversed()) if ((this.#flags(oid) & has) === 0) count += 1;
    return count;
  }

  #isCommon(oid: Uint8Array): boolean {
    return (this.#flags(oid) & has) !== 0 || this.#haves.has(oid);
  }

  /** Follows tags to what they name. */
  #peel(want: Uint8Array, tips: Uint8Array[], direct: { readonly oid: Uint8Array; readonly type: ObjectType }[]): void {
    let oid = want;
    for (let steps = 0; steps < tagDepthMax; steps += 1) {
      if (!this.#peeled.wants.add(oid)) return;
      const object = this.#store.read(oid);
      if (object === undefined) throw new Error(`the object ${hexOf(oid)} of a repository is gone`);
      if (object.type === "commit") {
        tips.push(oid);
        return;
      }
      if (object.type !== "tag") {
        direct.push({ oid, type: object.type });
        return;
      }
      if (this.#wantsType("tag")) this.found.add(oid);
      oid = taggedObject(object.content);
    }
    throw new Error("a chain of tags is too long");
  }

  #wantsType(type: ObjectType): boolean {
    const { filter } = this.#request;
    return filter?.type === undefined || filter.type === type;
  }

  #flags(oid: Uint8Array): number {
    return this.#commits.get(oid) ?? 0;
  }

  #commit(oid: Uint8Array): WalkedCommit {
    const object = this.#store.read(oid);
    if (object?.type !== "commit") throw new Error(`the commit ${hexOf(oid)} of a repository is gone`);
    return { ...parseCommitHead(object.content), oid: Uint8Array.from(oid) };
  }

  /**
   * Walks from both sides, the newest commit first, until only commits that the client has are left. Clocks may lie: then more
   * is sent than needed, never less.
   */
  #walkCommits(tips: readonly Uint8Array[], budget: WalkBudget = { commits: Number.POSITIVE_INFINITY }): void {
    for (const have of this.#request.haves) this.#markHave(have);
    for (const tip of tips) this.#want(tip);
    for (let commit = this.#queue.pop(); commit !== undefined && this.#open > 0; commit = this.#queue.pop()) {
      budget.commits -= 1;
      if (budget.commits < 0) return;
      const flags = this.#flags(commit.oid);
      this.#commits.set(commit.oid, 0, flags & ~isQueued);
      if ((flags & has) !== 0) {
        this.#markParents(commit);
        continue;
      }
      this.#open -= 1;
      this.#walked.push(commit.oid);
      if (!this.#request.newShallow.has(commit.oid)) for (const parent of commit.parents) this.#want(parent);
    }
  }

  #want(oid: Uint8Array): void {
    const flags = this.#flags(oid);
    if ((flags & (has | isWanted)) !== 0) return;
    const commit = this.#commit(oid);
    this.#commits.set(oid, 0, flags | isWanted | isQueued);
    this.#open += 1;
    this.#queue.push(commit.time, commit);
  }

  #markHave(have: Uint8Array): void {
    let oid = have;
    for (let steps = 0; steps < tagDepthMax; steps += 1) {
      if (!this.#peeled.haves.add(oid)) return;
      const object = this.#store.read(oid);
      if (object?.type === "commit") this.#mark(oid, []);
      if (object?.type !== "tag") return;
      oid = taggedObject(object.content);
    }
  }

  /** The client has a commit. One that was walked as wanted before goes to `again`, for its parents. */
  #mark(oid: Uint8Array, again: WalkedCommit[]): void {
    const flags = this.#flags(oid);
    if ((flags & has) !== 0) return;
    if ((flags & isQueued) !== 0) {
      this.#commits.set(oid, 0, flags | has);
      this.#open -= 1;
      return;
    }
    const commit = this.#commit(oid);
    const isNew = (flags & isWanted) === 0;
    this.#commits.set(oid, 0, flags | has | (isNew ? isQueued : 0));
    if (isNew) this.#queue.push(commit.time, commit);
    else again.push(commit);
  }

  #markParents(commit: WalkedCommit): void {
    const again = [commit];
    for (let next = again.pop(); next !== undefined; next = again.pop()) {
      if (this.#request.clientShallow.has(next.oid)) continue;
      for (const parent of next.parents) this.#mark(parent, again);
    }
  }

  #walkTreeOf({ oid, tree, parents }: WalkedCommit, isPartial: boolean): void {
    const isKnown = (parent: Uint8Array) => (this.#flags(parent) & (has | isCollected)) !== 0;
    const compared = isPartial && !this.#request.newShallow.has(oid) ? parents.filter(isKnown) : [];
    this.#walkTree(
      tree,
      compared.map((parent) => this.#commit(parent).tree),
      0,
    );
  }

  /** Collects what is in a tree and in none of `others`, the trees at the same place of the commit's parents. */
  #walkTree(root: Uint8Array, others: readonly Uint8Array[], depth: number): void {
    const waiting: WaitingTree[] = [];
    const add = (next: WaitingTree) => {
      // Before it waits: a tree may be in a folder a hundred thousand times.
      if (this.#isNewTree(next.tree, next.others, next.depth)) waiting.push(next);
    };
    add({ tree: root, others, depth });
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const entry = new TreeCursor(this.#treeContent(next.tree));
      const theirs = this.#followed(next.others);
      const below = next.depth + 1;
      while (entry.next()) {
        if (entry.kind === "commit") continue;
        const { oid } = entry;
        const same = theirs.map((other) => other.find(entry)).filter((each) => each !== undefined);
        if (same.some((each) => Buffer.compare(each, oid) === 0)) continue;
        if (entry.kind === "blob") {
          if (this.#wantsBlob(oid, below)) this.found.add(oid);
        } else add({ tree: Uint8Array.from(oid), others: same.map((each) => Uint8Array.from(each)), depth: below });
      }
    }
  }

  /** The trees that one is compared with: few, and of few bytes. With fewer of them more is sent than needed, never less. */
  #followed(trees: readonly Uint8Array[]): FollowedTree[] {
    const followed: FollowedTree[] = [];
    let bytes = 0;
    for (const tree of trees.slice(0, followedMax)) {
      const place = this.#store.find(tree);
      bytes += place === undefined ? 0 : this.#store.headOf(place).size;
      if (bytes > followedBytesMax) break;
      followed.push(new FollowedTree(this.#treeContent(tree)));
    }
    return followed;
  }

  /** Whether a tree is to be walked; notes that it is, and that it is sent. */
  #isNewTree(tree: Uint8Array, others: readonly Uint8Array[], depth: number): boolean {
    const { filter } = this.#request;
    if (filter !== undefined && depth >= filter.depthMax) return false;
    if (others.some((other) => Buffer.compare(other, tree) === 0)) return false;
    const counted = filter === undefined ? 0 : depth;
    const known = this.#walkedTrees.get(tree);
    if (known !== undefined && known <= counted) return false;
    this.#walkedTrees.set(tree, 0, counted);
    if (this.#wantsType("tree")) this.found.add(tree);
    return true;
  }

  #treeContent(tree: Uint8Array): Buffer {
    const object = this.#store.read(tree);
    if (object?.type !== "tree") throw new Error(`the tree ${hexOf(tree)} of a repository is gone`);
    return object.content;
  }

  #wantsBlob(oid: Uint8Array, depth: number): boolean {
    const { filter } = this.#request;
    if (filter === undefined) return true;
    if (depth >= filter.depthMax || !this.#wantsType("blob") || filter.blobBytesMax < 0) return false;
    if (filter.blobBytesMax === Number.POSITIVE_INFINITY) return true;
    const place = this.#store.find(oid);
    return place !== undefined && this.#store.headOf(place).size <= filter.blobBytesMax;
  }
}
