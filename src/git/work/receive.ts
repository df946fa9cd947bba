/** Indexes and checks a received pack. It runs in a thread of its own. */

import { noOid } from "../git.ts";
import type { ObjectType } from "../objects/limits.ts";
import { commitAt, commitHeadAt, isAncestor, type WalkBudget } from "../packing/ancestry.ts";
import { PackError, type PackLimits, TooMuchWork } from "../packing/limits.ts";
import { ObjectStore } from "../packing/object-store.ts";
import { ObjectWalk } from "../packing/object-walk.ts";
import { hexOf, OidTable, oidOf } from "../packing/oid-table.ts";
import { type IndexedPack, PackIndexer } from "../packing/pack-indexer.ts";
import { RefFiles } from "../ref-files.ts";
import { branchPrefix, Refs, readHead } from "../refs.ts";
import type { RefCommand } from "../transport/push-request.ts";

export interface ReceiveOrder {
  /** The folder of the repository, which may not exist yet. */
  readonly folder: string;
  /** The path of the received pack without its ending; undefined when there is none. */
  readonly pack: string | undefined;
  readonly commands: readonly RefCommand[];
  /** Branches, by their full names, of which somebody asks whether they are forced. */
  readonly protectedRefs: readonly string[];
  /** `main`; undefined: it is among the branches that are pushed. */
  readonly defaultBranch: string | undefined;
  readonly limits: PackLimits;
}

/** An object that refs are to name. */
interface ReceivedObject {
  /** undefined when the object, or one that it leads to, is missing. */
  readonly type: ObjectType | undefined;
  /** The commit that it is or leads to. */
  readonly commit: string | undefined;
  /** The root tree of that commit. */
  readonly tree: string | undefined;
}

/** The new object of a ref. */
export interface ReceivedRef extends ReceivedObject {
  /** Commits that the branch leads to and did not lead to before, a new one those that the default branch does not; 0 for other refs. Of many branches with much of their own, few are counted. */
  readonly commitCount: number;
  /** The commit that the ref was at is not among the ancestors of the new one; undefined where nobody asks. */
  readonly isForced: boolean | undefined;
}

export interface Received {
  readonly pack: IndexedPack | undefined;
  /** The reason why the pack is refused. */
  readonly refusal: string | undefined;
  /** In the order of the commands; undefined for a deletion. */
  readonly refs: readonly (ReceivedRef | undefined)[];
}

/** `lookUps`: objects that it may look up for the refs, if not as many as the repository has some times. */
export async function receive(order: ReceiveOrder, lookUps?: number): Promise<Received> {
  const { folder, pack, defaultBranch, limits } = order;
  let indexed: IndexedPack | undefined;
  let isIncomplete = false;
  if (pack !== undefined) {
    try {
      using store = new ObjectStore(folder);
      const indexer = new PackIndexer(pack, store, limits);
      try {
        indexed = await indexer.index();
        isIncomplete = indexer.findMissing() !== undefined;
      } finally {
        indexer.close();
      }
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      return { pack: undefined, refusal: error.message, refs: [] };
    }
  }
  // Of a pack that misses an object nothing is kept: a later push could name what leads there.
  const kept = isIncomplete ? undefined : pack;
  try {
    using store = new ObjectStore(folder, kept);
    store.limitLookUps(lookUps);
    const branch = defaultBranch ?? (await readHead(folder)) ?? "main";
    const head = await new Refs(folder, new RefFiles()).read(`${branchPrefix}${branch}`);
    const refs = new ReceivedRefs(store, order).all({ branch, head, isFirst: defaultBranch === undefined });
    return { pack: isIncomplete ? undefined : indexed, refusal: undefined, refs };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return { pack: undefined, refusal: "the refs take too much work at once, push fewer of them", refs: [] };
  }
}

/** Commits that are looked at to count those of other branches than the default one: a mirror may have thousands. */
const walkedCommitsMax = 50_000;

const missing: ReceivedObject = { type: undefined, commit: undefined, tree: undefined };

/** The default branch as it is before the push; `isFirst`: there is none, and the first one that is pushed may become it. */
interface DefaultBranch {
  readonly branch: string;
  readonly head: string | undefined;
  readonly isFirst: boolean;
}

/** The new objects of the refs of one push. Each is looked at once, however many refs name it. */
class ReceivedRefs {
  readonly #store: ObjectStore;
  readonly #commands: readonly RefCommand[];
  readonly #known = new Map<string, ReceivedObject>();
  readonly #counts = new Map<string, number>();
  readonly #protected: ReadonlySet<string>;
  readonly #budget: WalkBudget = { commits: walkedCommitsMax };

  constructor(store: ObjectStore, { commands, protectedRefs }: Pick<ReceiveOrder, "commands" | "protectedRefs">) {
    this.#store = store;
    this.#commands = commands;
    this.#protected = new Set(protectedRefs);
  }

  all(main: DefaultBranch): (ReceivedRef | undefined)[] {
    const pushed = this.#pushedDefault(main);
    const mains = [pushed?.after, main.head].filter((oid) => oid !== undefined);
    const bases = (command: RefCommand) =>
      command.before !== noOid ? [command.before] : command === pushed ? [] : mains;
    return this.#commands.map((command) => {
      if (command.after === noOid) return undefined;
      const object = this.#object(command.after);
      const commit = object.commit === undefined ? undefined : oidOf(object.commit);
      // Nobody asks it of other refs.
      if (commit === undefined || !command.ref.startsWith(branchPrefix)) {
        return { ...object, commitCount: 0, isForced: undefined };
      }
      const commitCount = this.#countOf(
        commit,
        bases(command),
        command === pushed ? { commits: Number.POSITIVE_INFINITY } : this.#budget,
      );
      const isAsked = command.before !== noOid && this.#protected.has(command.ref);
      return {
        ...object,
        commitCount,
        isForced: isAsked ? isForced(this.#store, command.before, commit) : undefined,
      };
    });
  }

  /** Commits that one leads to, and none of `bases` does: counted once, however many refs name it. */
  #countOf(commit: Uint8Array, bases: readonly string[], budget: WalkBudget): number {
    const key = `${hexOf(commit)} ${bases.join(" ")}`;
    const count = this.#counts.get(key) ?? countCommits(this.#store, bases, commit, budget);
    this.#counts.set(key, count);
    return count;
  }

  /** The command for the default branch, or for the first branch of all, which becomes it. */
  #pushedDefault({ branch, isFirst }: DefaultBranch): RefCommand | undefined {
    const branches = this.#commands.filter(
      ({ ref, after }) => ref.startsWith(branchPrefix) && after !== noOid && this.#object(after).type === "commit",
    );
    const named = branches.find(({ ref }) => ref === `${branchPrefix}${branch}`);
    return named ?? (isFirst ? branches[0] : undefined);
  }

  #object(oid: string): ReceivedObject {
    const known = this.#known.get(oid) ?? this.#describe(oid);
    this.#known.set(oid, known);
    return known;
  }

  #describe(oid: string): ReceivedObject {
    const object = this.#store.find(oidOf(oid));
    if (object === undefined) return missing;
    const { type } = this.#store.headOf(object);
    const commit = commitAt(this.#store, oidOf(oid));
    if (commit === undefined) return { ...missing, type };
    return { type, commit: hexOf(commit), tree: hexOf(commitHeadAt(this.#store, commit).tree) };
  }
}

function countCommits(store: ObjectStore, bases: readonly string[], after: Uint8Array, budget: WalkBudget): number {
  const none = new OidTable();
  return new ObjectWalk(store, {
    wants: [after],
    haves: bases.map(oidOf).filter((oid) => store.find(oid) !== undefined),
    ...{ clientShallow: none, newShallow: none, filter: undefined },
  }).countCommits(budget);
}

function isForced(store: ObjectStore, before: string, after: Uint8Array): boolean {
  const old = store.find(oidOf(before)) === undefined ? undefined : commitAt(store, oidOf(before));
  if (old === undefined) return true;
  return !isAncestor(store, old, after);
}
