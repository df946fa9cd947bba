import { reachedFrom, type WalkBounds } from "../ancestry.ts";
import { type CommitHead, parseCommitHead, taggedObject } from "./commit-head.ts";
import type { ObjectStore } from "./object-store.ts";
import { hexOf, OidTable, oidOf } from "./oid-table.ts";
import { TimeQueue } from "./time-queue.ts";

/** Tags that name tags. */
const tagDepthMax = 100;

/** The commit that an object is, or that a tag leads to; undefined when it leads to none. */
export function commitAt(store: ObjectStore, start: Uint8Array): Uint8Array | undefined {
  const found = peeledOf(store, start);
  return found !== undefined && store.read(found)?.type === "commit" ? found : undefined;
}

/** The object that a tag leads to; undefined for a tag of tags without end. Each tag is read once, however many lead to it. */
export function peeledOf(store: ObjectStore, start: Uint8Array): Uint8Array | undefined {
  const { peeled } = store;
  const passed: string[] = [];
  let oid: Uint8Array | undefined = start;
  while (oid !== undefined) {
    const id = hexOf(oid);
    if (peeled.has(id)) {
      oid = peeled.get(id);
      break;
    }
    const place = store.find(oid);
    if (place === undefined || store.headOf(place).type !== "tag") break;
    passed.push(id);
    oid = passed.length >= tagDepthMax ? undefined : taggedObject(store.readAt(place).content);
  }
  for (const id of passed) peeled.set(id, oid);
  return oid;
}

/** Throws when there is no such commit. */
export function commitHeadAt(store: ObjectStore, oid: Uint8Array): CommitHead {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new Error("a commit of a repository is gone");
  return parseCommitHead(object.content);
}

/** A thread walks: it takes longer before it believes the clocks. */
const bounds: WalkBounds = { commitsMax: Number.POSITIVE_INFINITY, doubtedMax: 100_000 };

/** Whether a commit is another one, or among its ancestors. */
export function isAncestor(store: ObjectStore, oid: Uint8Array, of: Uint8Array): boolean {
  const reading = reachedFrom([hexOf(of)], [hexOf(oid)], bounds);
  for (let step = reading.next(); ; ) {
    if (step.done === true) return step.value.size > 0;
    const { parents, time } = commitHeadAt(store, oidOf(step.value));
    step = reading.next({ oid: step.value, parents: parents.map((each) => hexOf(each)), time });
  }
}

/** Commits that a walk may look at. */
export interface WalkBudget {
  commits: number;
}

/**
 * Whether a commit, or one of its ancestors, is among `known`. Older ones than `oldest`, in seconds since 1970, are not looked at,
 * as git does when it negotiates: a wrong clock costs a round. Without more of `budget`, it is false.
 */
export function reachesAny(
  store: ObjectStore,
  start: Uint8Array,
  known: OidTable,
  oldest: number,
  budget: WalkBudget = { commits: Number.POSITIVE_INFINITY },
): boolean {
  const seen = new OidTable();
  const queue = new TimeQueue<Uint8Array>();
  queue.push(commitHeadAt(store, start).time, start);
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    if (known.has(oid)) return true;
    if (!seen.add(oid)) continue;
    budget.commits -= 1;
    if (budget.commits < 0) return false;
    const { parents, time } = commitHeadAt(store, oid);
    if (time < oldest) continue;
    for (const parent of parents) queue.push(commitHeadAt(store, parent).time, parent);
  }
  return false;
}
