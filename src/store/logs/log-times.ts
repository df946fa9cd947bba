import { idsPerSegment, segmentNumberOf } from "../segments/segment.ts";

/** Times of the entries of one segment, by place; NaN where there is no entry. */
interface SegmentTimes {
  readonly times: Float64Array;
  count: number;
  earliest: number;
  latest: number;
}

/** The time of each entry of a log, eight bytes an entry; times mostly rise with the ids, and need not. */
export class LogTimes {
  readonly #segments: (SegmentTimes | undefined)[] = [];
  /** The latest time up to each segment: it only rises, so that the first segment of a range is searched for. */
  readonly #latestUpTo: number[] = [];
  /** The earliest time from each segment on: as `#latestUpTo`, for the last one. */
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

  /** A whole segment at once, with NaN where there is no entry. */
  addSegment(number: number, times: Float64Array): void {
    const segment = segmentOf(times);
    this.#size += segment.count;
    this.#growTo(number);
    this.#segments[number] = segment;
    this.#noteTimes(number, segment.earliest, segment.latest);
  }

  /** Lets go of all entries below `id`. */
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

  /** Whether anything of the id's segment may lie within. */
  mayBeWithin(id: number, from: number, to: number): boolean {
    const segment = this.#segments[segmentNumberOf(id)];
    return segment !== undefined && segment.latest >= from && segment.earliest <= to;
  }

  /**
   * The id to continue at behind segments that lie outside: one entry with a wrong time puts many of them between the
   * bounds of `idsWithin`. undefined when no segment follows.
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
   * The number of entries that lie within, exactly up to `enough`; looks into a segment only where it lies partly
   * outside.
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

  /** All entries within both bounds have an id between these, which come from whole segments. */
  idsWithin(from: number, to: number): { lowest: number; highest: number } {
    const { first, last } = this.#segmentsWithin(from, to);
    return { lowest: first * idsPerSegment, highest: (last + 1) * idsPerSegment - 1 };
  }

  /** Ids within both bounds, from `start` on (not included) in the given direction. */
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

  /** The first and the last segment that may hold something within; more than one of them may be outside. */
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

  /** Times that rise with the ids touch no segment but their own. */
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

/** The first of `count` numbers for which `test` holds, as it does for all after it; `count` when for none. */
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
