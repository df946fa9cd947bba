import { idsPerSegment, segmentNumberOf } from "../segments/segment.ts";

/** The times of a segment's entries, by position; NaN where there is no entry. */
interface SegmentTimes {
  readonly times: Float64Array;
  count: number;
  earliest: number;
  latest: number;
}

/** The time of each entry of a log, in eight bytes. Times mostly ascend with the ids, but need not. */
export class LogTimes {
  readonly #segments: (SegmentTimes | undefined)[] = [];
  /** The latest time up to each segment. It only ascends, so a binary search finds the first segment of a range. */
  readonly #latestUpTo: number[] = [];
  /** The earliest time from each segment on, to find the last segment of a range. */
  readonly #earliestFrom: number[] = [];
  #firstSegment = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number, time: number): void {
    const number = segmentNumberOf(id);
    this.#growTo(number);
    const segment = this.#segments[number] ?? emptySegment();
    this.#segments[number] = segment;
    segment.times[id % idsPerSegment] = time;
    countIn(segment, time);
    this.#noteTimes(number, time, time);
    this.#size += 1;
  }

  remove(id: number): void {
    const segment = this.#segments[segmentNumberOf(id)];
    if (segment === undefined) return;
    segment.times[id % idsPerSegment] = Number.NaN;
    segment.count -= 1;
    this.#size -= 1;
  }

  /** Adds a whole segment, with NaN where there is no entry. */
  addSegment(number: number, times: Float64Array): void {
    const segment = segmentOf(times);
    this.#size += segment.count;
    this.#growTo(number);
    this.#segments[number] = segment;
    this.#noteTimes(number, segment.earliest, segment.latest);
  }

  /** Frees all entries below `id`. */
  dropBelow(id: number): void {
    const partly = segmentNumberOf(id);
    for (let number = this.#firstSegment; number < Math.min(partly, this.#segments.length); number += 1) {
      this.#size -= this.#segments[number]?.count ?? 0;
      this.#segments[number] = undefined;
    }
    this.#firstSegment = partly;
    const segment = this.#segments[partly];
    if (segment === undefined) return;
    segment.times.fill(Number.NaN, 0, id % idsPerSegment);
    this.#size -= segment.count;
    const rest = segmentOf(segment.times);
    this.#segments[partly] = rest;
    this.#size += rest.count;
  }

  isWithin(id: number, from: number, to: number): boolean {
    const time = this.#segments[segmentNumberOf(id)]?.times[id % idsPerSegment] ?? Number.NaN;
    return time >= from && time <= to;
  }

  /** True when an entry of the id's segment may lie within the bounds. */
  mayBeWithin(id: number, from: number, to: number): boolean {
    const segment = this.#segments[segmentNumberOf(id)];
    return segment !== undefined && segment.latest >= from && segment.earliest <= to;
  }

  /**
   * Returns the id at which to continue after segments outside the bounds; undefined when no segment follows. A single wrong
   * time puts many such segments into the range of `idsWithin`.
   */
  startAfterGap(id: number, from: number, to: number, descending: boolean): number | undefined {
    const step = descending ? -1 : 1;
    for (let number = segmentNumberOf(id); number >= 0 && number < this.#segments.length; number += step) {
      if (!this.mayBeWithin(number * idsPerSegment, from, to)) continue;
      return descending ? (number + 1) * idsPerSegment : number * idsPerSegment - 1;
    }
    return undefined;
  }

  /**
   * Returns the number of entries within the bounds, exact up to `enough`. Reads single times only in segments that are
   * partly within.
   */
  countWithin(from: number, to: number, enough: number): number {
    let count = 0;
    const { first, last } = this.#segmentsWithin(from, to);
    for (let number = first; number <= last && count <= enough; number += 1) {
      const segment = this.#segments[number];
      if (segment === undefined || segment.latest < from || segment.earliest > to) continue;
      if (segment.earliest >= from && segment.latest <= to) {
        count += segment.count;
        continue;
      }
      for (const time of segment.times) if (time >= from && time <= to) count += 1;
    }
    return count;
  }

  /** Returns bounds for the ids of all entries within the times. They are bounds of whole segments. */
  idsWithin(from: number, to: number): { lowest: number; highest: number } {
    const { first, last } = this.#segmentsWithin(from, to);
    return { lowest: first * idsPerSegment, highest: (last + 1) * idsPerSegment - 1 };
  }

  /** Yields the ids within both bounds, after `start` in the given direction. */
  *walk(from: number, to: number, descending: boolean, start: number | undefined): Generator<number> {
    const step = descending ? -1 : 1;
    const { lowest, highest } = this.idsWithin(from, to);
    const beginning = descending ? highest : lowest;
    let id = start === undefined ? beginning : start + step;
    id = descending ? Math.min(id, highest) : Math.max(id, lowest);
    while (id >= lowest && id <= highest) {
      const number = segmentNumberOf(id);
      const segment = this.#segments[number];
      if (segment === undefined || segment.latest < from || segment.earliest > to) {
        id = descending ? number * idsPerSegment - 1 : (number + 1) * idsPerSegment;
        continue;
      }
      const time = segment.times[id % idsPerSegment] as number;
      if (time >= from && time <= to) yield id;
      id += step;
    }
  }

  /** Returns the first and the last segment that may have an entry within. Segments between them may have none. */
  #segmentsWithin(from: number, to: number): { first: number; last: number } {
    const first = firstWhere(this.#segments.length, (number) => (this.#latestUpTo[number] as number) >= from);
    const last = firstWhere(this.#segments.length, (number) => (this.#earliestFrom[number] as number) > to) - 1;
    return { first: Math.max(first, this.#firstSegment), last };
  }

  #growTo(number: number): void {
    while (this.#segments.length <= number) {
      this.#latestUpTo.push(this.#latestUpTo.at(-1) ?? Number.NEGATIVE_INFINITY);
      this.#earliestFrom.push(Number.POSITIVE_INFINITY);
      this.#segments.push(undefined);
    }
  }

  /** Updates the latest and earliest times of a segment. Ascending times affect no other segment. */
  #noteTimes(number: number, earliest: number, latest: number): void {
    for (let at = number; at < this.#segments.length && (this.#latestUpTo[at] as number) < latest; at += 1) {
      this.#latestUpTo[at] = latest;
    }
    for (let at = number; at >= 0 && (this.#earliestFrom[at] as number) > earliest; at -= 1) {
      this.#earliestFrom[at] = earliest;
    }
  }
}

function emptySegment(): SegmentTimes {
  return segmentOf(new Float64Array(idsPerSegment).fill(Number.NaN));
}

function segmentOf(times: Float64Array): SegmentTimes {
  const segment = { times, count: 0, earliest: Number.POSITIVE_INFINITY, latest: Number.NEGATIVE_INFINITY };
  for (const time of times) if (!Number.isNaN(time)) countIn(segment, time);
  return segment;
}

function countIn(segment: SegmentTimes, time: number): void {
  segment.count += 1;
  segment.earliest = Math.min(segment.earliest, time);
  segment.latest = Math.max(segment.latest, time);
}

/**
 * Returns the first number below `count` for which `test` is true; `count` if none. `test` must be true for all after the
 * first.
 */
function firstWhere(count: number, test: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
