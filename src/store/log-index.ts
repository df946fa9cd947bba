import type { StoredDocument } from "./indexes/index.ts";
import { OrderedIndex } from "./indexes/ordered-index.ts";
import type { LogDeclaration } from "./log-collection.ts";
import { Postings } from "./postings.ts";
import { idsPerSegment, segmentNumberOf } from "./segment.ts";
import type { SideIndex } from "./side-index.ts";

/** Times of the entries of one segment, by place; 0 where there is no entry. */
interface SegmentTimes {
  readonly times: Float64Array;
  count: number;
  earliest: number;
  latest: number;
}

interface TimedEntry {
  readonly id: number;
  readonly time: number;
}

/** What memory keeps of a log: a time and a place in a list of ids for each key, some tens of bytes an entry. */
export class LogIndex<T extends StoredDocument> {
  readonly timeOf: (document: T) => number;
  readonly keysOf: (document: T) => readonly string[];
  readonly keysVersion: number;
  /** undefined: nobody asks for it. */
  readonly byTime: OrderedIndex<TimedEntry> | undefined;
  /** Of sealed segments; waits to be put in order at once. */
  #unordered: TimedEntry[] = [];
  readonly #segments: (SegmentTimes | undefined)[] = [];
  /** The latest time up to each segment: it only rises, so that the first segment of a range is searched for. */
  readonly #latestUpTo: number[] = [];
  /** The earliest time from each segment on: as `#latestUpTo`, for the last one. */
  readonly #earliestFrom: number[] = [];
  readonly #postings = new Map<string, Postings>();
  #size = 0;

  constructor({ timeOf, keysOf, keysVersion, hasTimeOrder }: Omit<LogDeclaration<T>, "kind" | "name">) {
    this.timeOf = timeOf;
    this.keysOf = keysOf;
    this.keysVersion = keysVersion;
    this.byTime = hasTimeOrder === true ? new OrderedIndex(({ time }) => time) : undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** Ids with the key, in rising order. */
  find(key: string): Postings | undefined {
    return this.#postings.get(key);
  }

  add(document: T): void {
    const time = this.timeOf(document);
    this.#addTime(document.id, time);
    this.byTime?.replace(undefined, { id: document.id, time });
    for (const key of this.keysOf(document)) this.#postingsOf(key).add(document.id);
  }

  /** Takes back what a transaction that failed had added. */
  remove(document: T): void {
    const segment = this.#segments[segmentNumberOf(document.id)];
    if (segment !== undefined) {
      segment.times[document.id % idsPerSegment] = 0;
      segment.count -= 1;
      this.#size -= 1;
    }
    this.byTime?.replace({ id: document.id, time: this.timeOf(document) }, undefined);
    for (const key of this.keysOf(document)) this.#postings.get(key)?.delete(document.id);
  }

  /** Segments must come in rising order, as ids do. */
  addSealed({ segment: { number, lengths }, times, keys }: SideIndex): void {
    const within = { times, count: 0, earliest: Number.POSITIVE_INFINITY, latest: Number.NEGATIVE_INFINITY };
    lengths.forEach((length, place) => {
      if (length === 0) return;
      const time = times[place] as number;
      countIn(within, time);
      if (this.byTime !== undefined) this.#unordered.push({ id: number * idsPerSegment + place, time });
    });
    this.#size += within.count;
    this.#growTo(number);
    this.#segments[number] = within;
    this.#noteTimes(number, within.earliest, within.latest);
    const first = number * idsPerSegment;
    for (const [key, places] of Object.entries(keys)) {
      const postings = this.#postingsOf(key);
      for (const place of places) postings.add(first + place);
    }
  }

  /** To be called once, after the sealed segments and before any other entry. */
  orderSealed(): void {
    this.byTime?.build(this.#unordered);
    this.#unordered = [];
  }

  isWithin(id: number, from: number, to: number): boolean {
    const time = this.#segments[segmentNumberOf(id)]?.times[id % idsPerSegment] ?? 0;
    return time !== 0 && time >= from && time <= to;
  }

  /** Whether anything of the id's segment may lie within. */
  mayBeWithin(id: number, from: number, to: number): boolean {
    const segment = this.#segments[segmentNumberOf(id)];
    return segment !== undefined && segment.latest >= from && segment.earliest <= to;
  }

  /**
   * Where to go on behind segments that lie outside, as one entry by a clock that was wrong puts many between the bounds
   * of `idsWithin`; undefined when no segment follows.
   */
  startAfterGap(id: number, from: number, to: number, descending: boolean): number | undefined {
    const step = descending ? -1 : 1;
    for (let number = segmentNumberOf(id); number >= 0 && number < this.#segments.length; number += step) {
      if (!this.mayBeWithin(number * idsPerSegment, from, to)) continue;
      return descending ? (number + 1) * idsPerSegment : number * idsPerSegment - 1;
    }
    return undefined;
  }

  /** How many entries lie within, exactly up to `enough`; looks into a segment only where it lies partly outside. */
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
      for (const time of segment.times) if (time !== 0 && time >= from && time <= to) count += 1;
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
      if (time !== 0 && time >= from && time <= to) yield id;
      id += step;
    }
  }

  /** The first and the last segment that may hold something within; more than one of them may be outside. */
  #segmentsWithin(from: number, to: number): { first: number; last: number } {
    const first = firstWhere(this.#segments.length, (number) => (this.#latestUpTo[number] as number) >= from);
    const last = firstWhere(this.#segments.length, (number) => (this.#earliestFrom[number] as number) > to) - 1;
    return { first, last };
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

  #addTime(id: number, time: number): void {
    const number = segmentNumberOf(id);
    this.#growTo(number);
    const segment = this.#segments[number] ?? {
      times: new Float64Array(idsPerSegment),
      count: 0,
      earliest: Number.POSITIVE_INFINITY,
      latest: Number.NEGATIVE_INFINITY,
    };
    this.#segments[number] = segment;
    segment.times[id % idsPerSegment] = time;
    countIn(segment, time);
    this.#noteTimes(number, time, time);
    this.#size += 1;
  }

  #postingsOf(key: string): Postings {
    let postings = this.#postings.get(key);
    if (postings === undefined) {
      postings = new Postings();
      this.#postings.set(key, postings);
    }
    return postings;
  }
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

function countIn(segment: SegmentTimes, time: number): void {
  segment.count += 1;
  segment.earliest = Math.min(segment.earliest, time);
  segment.latest = Math.max(segment.latest, time);
}
