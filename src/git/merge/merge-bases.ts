/** Finds the best commits that two histories have in common, as `git merge-base` does. */

import { requestPace } from "../../domain/work-budget.ts";
import { CommitQueue } from "../commit-queue.ts";
import { parentsOf } from "../history.ts";
import type { Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";

const [oneSide, otherSide, bothSides] = [1, 2, 3];
/** In the history of a common commit. */
const stale = 4;

/**
 * The best common commits of two histories, the newest first: none is in the history of another. Each history is that of
 * several commits, as if a commit had merged them. Throws `OverBudget`.
 */
export async function mergeBases(
  repository: Repository,
  one: readonly Commit[],
  other: readonly Commit[],
): Promise<Commit[]> {
  const found = await commonCommits(repository, one, other);
  if (found.length < 2) return found;
  // Clocks that are wrong let a walk find a commit before one that leads to it.
  const best: Commit[] = [];
  for (const commit of found) {
    const others = found.filter(({ oid }) => oid !== commit.oid);
    const common = await commonCommits(repository, [commit], others);
    if (common.every(({ oid }) => oid !== commit.oid)) best.push(commit);
  }
  return best;
}

async function commonCommits(
  repository: Repository,
  one: readonly Commit[],
  other: readonly Commit[],
): Promise<Commit[]> {
  const pace = requestPace();
  const sides = new Map<string, number>();
  const waiting = new CommitQueue();
  const common: Commit[] = [];
  let freshWaiting = 0;
  const isFresh = (side: number) => (side & stale) === 0;
  const add = (commit: Commit, side: number) => {
    const before = sides.get(commit.oid) ?? 0;
    const after = before | side;
    if (after === before) return;
    sides.set(commit.oid, after);
    if (waiting.has(commit.oid)) freshWaiting -= isFresh(before) ? 1 : 0;
    else waiting.push(commit);
    freshWaiting += isFresh(after) ? 1 : 0;
  };
  for (const commit of one) add(commit, oneSide);
  for (const commit of other) add(commit, otherSide);
  for (let commit = waiting.pop(); commit !== undefined && freshWaiting > 0; commit = waiting.pop()) {
    let side = sides.get(commit.oid) ?? 0;
    if (isFresh(side)) freshWaiting -= 1;
    if (side === bothSides) {
      common.push(commit);
      side |= stale;
    }
    for (const parent of await parentsOf(repository, commit)) add(parent, side);
    const turn = pace();
    if (turn !== true) await turn;
  }
  // One that is common itself is stale only when another common commit leads to it.
  const fresh = common.filter(({ oid }) => isFresh(sides.get(oid) ?? 0));
  return fresh.sort((first, second) => second.committer.timestamp - first.committer.timestamp);
}
