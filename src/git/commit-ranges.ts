import { rangeOf } from "./ancestry.ts";
import { readLinked, type Walked, type WalkOptions, walkFrom } from "./history.ts";
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

/** The ids of the commits of a range. Throws `OverBudget`. */
export function commitsInRange(
  repository: Repository,
  { left, right, isSymmetric }: CommitRange,
): Promise<ReadonlySet<string>> {
  return readLinked(repository, rangeOf(left.oid, right.oid, isSymmetric));
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
