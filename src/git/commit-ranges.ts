import { CommitQueue } from "./commit-queue.ts";
import { parentsOf, type Walked, type WalkOptions, walkFrom } from "./history.ts";
import type { Commit } from "./objects/objects.ts";
import type { Repository } from "./repository.ts";

/** Two ends of histories, as `a..b` or `a...b` name them. */
export interface CommitRange {
  /** `a` */
  readonly left: Commit;
  /** `b` */
  readonly right: Commit;
  /** `a...b`: what one of the two leads to. Otherwise, what `b` leads to and `a` does not. */
  readonly isSymmetric: boolean;
}

const leftSide = 1;
const rightSide = 2;
const bothSides = 3;

/**
 * The ids of the commits of a range. Both histories are walked from their newest commits on until the rest is outside. Commits of
 * one second come in any order, so one that the other side reaches later is walked again.
 */
export async function commitsInRange(
  repository: Repository,
  { left, right, isSymmetric }: CommitRange,
  options: WalkOptions,
): Promise<ReadonlySet<string>> {
  const sides = new Map<string, number>();
  const waiting = new CommitQueue();
  const isInside = (side: number | undefined) => side === rightSide || (isSymmetric && side === leftSide);
  let insideWaiting = 0;
  const add = (commit: Commit, side: number) => {
    const before = sides.get(commit.oid) ?? 0;
    const after = before | side;
    if (after === before) return;
    sides.set(commit.oid, after);
    if (waiting.has(commit.oid)) insideWaiting -= isInside(before) ? 1 : 0;
    else waiting.push(commit);
    insideWaiting += isInside(after) ? 1 : 0;
  };
  add(left, leftSide);
  add(right, rightSide);
  let oldestInside = Number.POSITIVE_INFINITY;
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    const side = sides.get(commit.oid) ?? bothSides;
    if (isInside(side)) {
      insideWaiting -= 1;
      oldestInside = Math.min(oldestInside, commit.committer.timestamp);
    } else if (insideWaiting === 0 && commit.committer.timestamp < oldestInside) break;
    for (const parent of await parentsOf(repository, commit, { since: options.since })) add(parent, side);
    const turn = options.pace?.();
    if (turn !== undefined && turn !== true) await turn;
  }
  return new Set([...sides].filter(([, side]) => isInside(side)).map(([oid]) => oid));
}

/** The commits of a walk in the order of `git log --topo-order`: of a merge, the last parent's line comes first. */
export async function topologicalCommits(
  repository: Repository,
  from: readonly Commit[],
  options: WalkOptions,
): Promise<Commit[]> {
  const walked = new Map<string, Walked>();
  const children = new Map<string, number>();
  for await (const each of walkFrom(repository, from, options)) {
    walked.set(each.commit.oid, each);
    for (const oid of each.next) children.set(oid, (children.get(oid) ?? 0) + 1);
  }
  const ready = [...walked.values()].filter(({ commit }) => !children.has(commit.oid)).reverse();
  const ordered: Commit[] = [];
  for (let each = ready.pop(); each !== undefined; each = ready.pop()) {
    if (each.isShown) ordered.push(each.commit);
    for (const oid of each.next) {
      const left = (children.get(oid) ?? 0) - 1;
      children.set(oid, left);
      const parent = walked.get(oid);
      if (left === 0 && parent !== undefined) ready.push(parent);
    }
  }
  return ordered;
}
