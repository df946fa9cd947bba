import type { Pace, Steps } from "../../lib/yield.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { OrderedIndex } from "../indexes/ordered-index.ts";
import { Postings } from "../query/postings.ts";
import { idsPerSegment } from "../segments/segment.ts";
import type { LogDeclaration } from "./declaration.ts";
import { LogTimes } from "./log-times.ts";
import type { SideIndex } from "./side-index.ts";

interface TimedEntry {
  readonly id: number;
  readonly time: number;
}

/** The in-memory part of a log: each entry's time, and lists of ids by key. It takes some tens of bytes per entry. */
export class LogIndex<T extends StoredDocument> {
  readonly timeOf: (document: T) => number;
  readonly keysOf: (document: T) => readonly string[];
  readonly keysVersion: number;
  readonly times = new LogTimes();
  /** undefined when the log has no such queries. May contain dropped ids: only those that `find` returns too count. */
  readonly byTime: OrderedIndex<TimedEntry> | undefined;
  /** Entries of sealed segments that are not sorted yet. */
  #unordered: TimedEntry[] = [];
  readonly #postings = new Map<string, Postings>();
  #droppedBelow = 0;
  /** No list has a dropped entry below this id. Above it, a list removes them when it is read. */
  #sweptBelow = 0;
  readonly #swept = new Set<Postings>();

  constructor({ timeOf, keysOf, keysVersion, hasTimeOrder }: Omit<LogDeclaration<T>, "kind" | "name">) {
    this.timeOf = timeOf;
    this.keysOf = keysOf;
    this.keysVersion = keysVersion;
    this.byTime = hasTimeOrder === true ? new OrderedIndex(({ time }) => time) : undefined;
  }

  get size(): number {
    return this.times.size;
  }

  /** Returns the ids with the key, in ascending order. */
  find(key: string): Postings | undefined {
    const postings = this.#postings.get(key);
    if (postings !== undefined && this.#sweptBelow < this.#droppedBelow) this.#sweepOne(postings);
    return postings;
  }

  add(document: T): void {
    const time = this.timeOf(document);
    this.times.add(document.id, time);
    this.byTime?.replace(undefined, { id: document.id, time });
    for (const key of this.keysOf(document)) this.#postingsOf(key).add(document.id);
  }

  /** Removes the entry of a failed transaction. */
  remove(document: T): void {
    this.times.remove(document.id);
    this.byTime?.replace({ id: document.id, time: this.timeOf(document) }, undefined);
    for (const key of this.keysOf(document)) this.#postings.get(key)?.delete(document.id);
  }

  /** Adds a sealed segment. Segments must come in ascending order. */
  addSealed({ segment: { number, lengths }, times, keys }: SideIndex): void {
    const first = number * idsPerSegment;
    lengths.forEach((length, place) => {
      if (length === 0) times[place] = Number.NaN;
      else if (this.byTime !== undefined) this.#unordered.push({ id: first + place, time: times[place] as number });
    });
    this.times.addSegment(number, times);
    for (const [key, places] of Object.entries(keys)) {
      const postings = this.#postingsOf(key);
      for (const place of places) postings.add(first + place);
    }
  }

  /** Sorts the entries of sealed segments. Must be called once, after the sealed segments and before any other entry. */
  *orderSealed(): Steps {
    if (this.byTime !== undefined) {
      yield* this.byTime.build(this.#unordered.filter(({ id }) => id >= this.#droppedBelow));
    }
    this.#unordered = [];
  }

  /** Hides all entries below `id` at once. `sweep` frees their memory. */
  dropBelow(id: number): void {
    this.#droppedBelow = id;
    this.#swept.clear();
    this.times.dropBelow(id);
  }

  /** Frees the memory of dropped entries. Returns false when `pace` ended it early, which changes no query result. */
  async sweep(pace: Pace): Promise<boolean> {
    const below = this.#droppedBelow;
    for (let id = this.#sweptBelow; this.byTime !== undefined && id < below; id += 1) {
      const time = this.byTime.keyOf(id);
      if (time !== undefined) this.byTime.replace({ id, time: Number(time) }, undefined);
      const turn = pace();
      if (turn !== true && !(await turn)) return false;
    }
    for (const [key, postings] of this.#postings) {
      this.#sweepOne(postings);
      if (postings.size === 0) this.#postings.delete(key);
      const turn = pace();
      if (turn !== true && !(await turn)) return false;
    }
    // A drop during this sweep starts its own sweep.
    this.#sweptBelow = below;
    if (below === this.#droppedBelow) this.#swept.clear();
    return true;
  }

  #sweepOne(postings: Postings): void {
    if (this.#swept.has(postings)) return;
    postings.dropBelow(this.#droppedBelow);
    this.#swept.add(postings);
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
