/** Questions about which commits lead to which, right for any dates: clocks say where to look first, not where to end. */

import { TimeQueue } from "./packing/time-queue.ts";

/** A commit as these walks need it. */
export interface LinkedCommit {
  readonly oid: string;
  readonly parents: readonly string[];
  /** In seconds since 1970, by the clock of the committer. */
  readonly time: number;
}

/** A walk that asks for commits by their ids. One that is not there, as below a shallow clone, has no parents. */
export type Reading<R = void> = Generator<string, R, LinkedCommit | undefined>;

export interface WalkBounds {
  /** Commits of which the parents are read. Without more, what was not found counts as not there. */
  readonly commitsMax: number;
  /** Commits that are read although, by the clocks, none of them can lead to what is looked for. */
  readonly doubtedMax: number;
}

/** A request waits for the walk. */
export const requestBounds: WalkBounds = { commitsMax: Number.POSITIVE_INFINITY, doubtedMax: 5_000 };

/**
 * Commits with colours, which their parents inherit. Colours are facts: a commit has one exactly if it is, or a painted commit
 * leads to, one that was given it. The newest waits in front.
 */
export class Painting {
  readonly #colours = new Map<string, bigint>();
  readonly #queue = new TimeQueue<LinkedCommit>();
  readonly #waiting = new Set<string>();
  readonly #isOpen: (colours: bigint) => boolean;
  /** The ids of those waiting for which the walk goes on. */
  readonly open = new Set<string>();

  constructor(isOpen: (colours: bigint) => boolean) {
    this.#isOpen = isOpen;
  }

  coloursOf(oid: string): bigint {
    return this.#colours.get(oid) ?? 0n;
  }

  painted(): Iterable<readonly [oid: string, colours: bigint]> {
    return this.#colours;
  }

  *paint(oid: string, colours: bigint): Reading {
    const before = this.coloursOf(oid);
    const after = before === 0n ? colours : before | colours;
    if (after === before) return;
    this.#colours.set(oid, after);
    if (!this.#waiting.has(oid)) {
      const commit = yield oid;
      if (commit === undefined) return;
      this.#waiting.add(oid);
      this.#queue.push(commit.time, commit);
    }
    this.#sort(oid, after);
  }

  /** The newest of those waiting. Its parents are to be painted. */
  next(): LinkedCommit | undefined {
    const commit = this.#queue.pop();
    if (commit === undefined) return undefined;
    this.#waiting.delete(commit.oid);
    this.open.delete(commit.oid);
    return commit;
  }

  /** To be called when `isOpen` holds for fewer colours than before. */
  close(): void {
    for (const oid of this.open) if (!this.#isOpen(this.coloursOf(oid))) this.open.delete(oid);
  }

  #sort(oid: string, colours: bigint): void {
    if (this.#isOpen(colours)) this.open.add(oid);
    else this.open.delete(oid);
  }
}

const reached = 1n;
/** Wanted commits of one walk: each has a colour of its own. */
const wantedMax = 4_096;

/** The wanted commits that are among `from` or their ancestors. */
export function* reachedFrom(
  from: readonly string[],
  wanted: readonly string[],
  bounds: WalkBounds = requestBounds,
): Reading<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < wanted.length; at += wantedMax) {
    yield* reachOf(from, wanted.slice(at, at + wantedMax), bounds, found);
  }
  return found;
}

/**
 * A commit on the way to a wanted one is no ancestor of it. So the walk is over when all that wait are ancestors of each wanted
 * commit that is missing.
 */
function* reachOf(
  from: readonly string[],
  wanted: readonly string[],
  { commitsMax, doubtedMax }: WalkBounds,
  found: Set<string>,
): Reading {
  const missing = new Map<string, { readonly colour: bigint; readonly time: number }>();
  let colours = 0n;
  const painting = new Painting((each) => (each & reached) !== 0n && (each & colours) !== colours);
  for (const oid of new Set(wanted)) {
    const commit = yield oid;
    if (commit === undefined) continue;
    const colour = 2n << BigInt(missing.size);
    missing.set(oid, { colour, time: commit.time });
    colours |= colour;
  }
  let oldest = oldestOf(missing.values());
  const note = (oid: string) => {
    const wantedOne = (painting.coloursOf(oid) & reached) === 0n ? undefined : missing.get(oid);
    if (wantedOne === undefined) return;
    found.add(oid);
    missing.delete(oid);
    colours &= ~wantedOne.colour;
    if (wantedOne.time === oldest) oldest = oldestOf(missing.values());
    painting.close();
  };
  for (const [oid, { colour }] of missing) yield* painting.paint(oid, colour);
  for (const oid of from) {
    yield* painting.paint(oid, reached);
    note(oid);
  }
  let [walked, doubted] = [0, 0];
  while (missing.size > 0 && painting.open.size > 0) {
    const commit = painting.next();
    if (commit === undefined) return;
    walked += 1;
    doubted += commit.time < oldest ? 1 : 0;
    if (walked > commitsMax || doubted > doubtedMax) return;
    for (const oid of commit.parents) {
      yield* painting.paint(oid, painting.coloursOf(commit.oid));
      note(oid);
    }
  }
}

function oldestOf(commits: Iterable<{ readonly time: number }>): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { time } of commits) oldest = Math.min(oldest, time);
  return oldest;
}

const [ofOne, ofOther, ofBoth, belowBase] = [1n, 2n, 3n, 4n];

/**
 * The commits that two have in common and that no other one in common leads to, the newest first. Without any after `commitsMax`,
 * there are none.
 */
export function* commonOf(one: string, other: string, commitsMax = Number.POSITIVE_INFINITY): Reading<string[]> {
  const painting = new Painting((colours) => (colours & belowBase) === 0n);
  yield* painting.paint(one, ofOne);
  yield* painting.paint(other, ofOther);
  const candidates = new Set<string>();
  for (let walked = 0; painting.open.size > 0 && walked < commitsMax; walked += 1) {
    const commit = painting.next();
    if (commit === undefined) break;
    let colours = painting.coloursOf(commit.oid);
    if ((colours & ofBoth) === ofBoth) {
      if ((colours & belowBase) === 0n) candidates.add(commit.oid);
      colours |= belowBase;
    }
    for (const parent of commit.parents) yield* painting.paint(parent, colours);
  }
  const bases = [...candidates].filter((oid) => (painting.coloursOf(oid) & belowBase) === 0n);
  if (bases.length < 2) return bases;
  const above: string[] = [];
  for (const oid of bases) above.push(...((yield oid)?.parents ?? []));
  const redundant = yield* reachedFrom(above, bases);
  return bases.filter((oid) => !redundant.has(oid));
}

/** The ids of what `right` leads to and `left` does not; of a symmetric range, also what only `left` leads to. */
export function* rangeOf(left: string, right: string, isSymmetric: boolean): Reading<Set<string>> {
  const isInside = (colours: bigint) => colours === ofOther || (isSymmetric && colours === ofOne);
  const painting = new Painting(isInside);
  yield* painting.paint(left, ofOne);
  yield* painting.paint(right, ofOther);
  yield* paintWhile(painting, () => painting.open.size > 0);
  const isWrong =
    (yield* leadsToAny(left, painting, ofOther)) || (isSymmetric && (yield* leadsToAny(right, painting, ofOne)));
  // The clocks led astray: both histories are painted to their ends.
  if (isWrong) yield* paintWhile(painting, () => true);
  const inside = new Set<string>();
  for (const [oid, colours] of painting.painted()) if (isInside(colours)) inside.add(oid);
  return inside;
}

function* paintWhile(painting: Painting, goesOn: () => boolean): Reading {
  while (goesOn()) {
    const commit = painting.next();
    if (commit === undefined) return;
    for (const parent of commit.parents) yield* painting.paint(parent, painting.coloursOf(commit.oid));
  }
}

/** Whether a commit leads to one that has only the other's colour. Then it leads to one of them without a parent among them. */
function* leadsToAny(start: string, painting: Painting, colour: bigint): Reading<boolean> {
  const first: string[] = [];
  for (const [oid, colours] of painting.painted()) {
    if (colours !== colour) continue;
    const { parents = [] } = (yield oid) ?? {};
    if (!parents.some((parent) => painting.coloursOf(parent) === colour)) first.push(oid);
  }
  return (yield* reachedFrom([start], first)).size > 0;
}
