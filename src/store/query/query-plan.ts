import { spend } from "../../domain/work-budget.ts";
import type { IndexDeclarations, MemoryCollection } from "../collection.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { KeyRange } from "../indexes/key-range.ts";
import type { MultiIndex } from "../indexes/multi-index.ts";
import type { OrderedIndex } from "../indexes/ordered-index.ts";
import type { TextIndex } from "../indexes/text-index.ts";
import type { UniqueIndex } from "../indexes/unique-index.ts";
import { Bitmap } from "./bitmap.ts";
import type { Condition } from "./condition.ts";
import { asBitmap, type IdSet } from "./id-set.ts";
import { countOfSets, intersectionOf, type PartCount, setOfIds, sizeMaxOf, smallMax, unionOf } from "./set-algebra.ts";

/** The documents that match the conditions. `ids` undefined stands for all documents. */
export interface CandidateSet {
  readonly ids: IdSet | undefined;
  /** Tested for each candidate during the walk, where a list of the matches would cost more. */
  readonly test: ((id: number) => boolean) | undefined;
}

/** A condition that can be tested per id or listed. Costs are in units of `has`. */
interface Probe {
  /** The approximate number of matches. */
  readonly estimate: number;
  readonly listCost: number;
  has(id: number): boolean;
  list(): Iterable<number>;
  /** Returns the ids of the bitmap that match; undefined where the index cannot find them so. */
  within?(bits: Bitmap): Bitmap | undefined;
}

/** The cost of testing an id in a set, relative to testing a text. */
const setIdCost = 0.1;
/** The steps of one condition: the index returns its set. */
const conditionSteps = 10;
/** A test during the walk also costs the walk. */
const testCost = 1.5;

/** Converts conditions into sets of ids, smallest first. */
export class QueryPlan<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly #collection: MemoryCollection<T>;
  /** True when a caller passed ids, some of which may be of no document. */
  #hasForeignIds = false;

  constructor(collection: MemoryCollection<T>) {
    this.#collection = collection;
  }

  /** Returns the candidates. `needed` is how many of them the caller will read. */
  candidates(conditions: readonly Condition<D>[], needed: number): CandidateSet {
    const allIds = this.#collection.ids;
    let ids = this.#intersected(conditions.filter((each) => !asksTexts(each)));
    const tests: Probe[] = [];
    const texts = conditions.filter(asksTexts).map((each) => this.#probeOf(each));
    for (const probe of texts) {
      const scope = ids ?? allIds;
      if (scope.size <= smallMax) {
        ids = setOfIds(filtered(scope, probe));
        continue;
      }
      const found = needed === Number.POSITIVE_INFINITY ? probe.within?.(asBitmap(scope)) : undefined;
      if (found !== undefined) {
        ids = found;
        continue;
      }
      const met = (needed * allIds.size) / Math.max(1, probe.estimate);
      const testingCost = Math.min(scope.size, met) * testCost;
      if (scope.size <= Math.min(probe.listCost, testingCost)) ids = setOfIds(filtered(scope, probe));
      else if (probe.listCost <= testingCost) {
        ids = intersectionOf([setOfIds(probe.list()), ...(ids === undefined ? this.#foreignBound() : [ids])], []);
      } else tests.push(probe);
    }
    return { ids, test: tests.length === 0 ? undefined : (id) => tests.every((probe) => probe.has(id)) };
  }

  /**
   * Counts the documents that match the conditions, and those of them that match `part`. Builds no intersection, unless a
   * condition searches texts.
   */
  count(conditions: readonly Condition<D>[], part: Condition<D> | undefined): PartCount {
    const within = part === undefined ? undefined : (this.#setOf(part) ?? this.#collection.ids);
    if (conditions.some(asksTexts)) {
      const found = this.candidates(conditions, Number.POSITIVE_INFINITY).ids ?? this.#collection.ids;
      return countOfSets([found], [], within);
    }
    const { positive, negative } = this.#sets(conditions);
    return countOfSets(positive.length === 0 ? [this.#collection.ids] : positive, negative, within);
  }

  #intersected(conditions: readonly Condition<D>[]): IdSet | undefined {
    const { positive, negative } = this.#sets(conditions);
    if (positive.length === 0 && negative.length === 0) return undefined;
    return intersectionOf(positive.length === 0 ? [this.#collection.ids] : positive, negative);
  }

  /** Returns the sets of the conditions, without those that match all documents. */
  #sets(conditions: readonly Condition<D>[]): { positive: IdSet[]; negative: IdSet[] } {
    const positive: IdSet[] = [];
    const negative: IdSet[] = [];
    for (const condition of conditions) {
      if ("not" in condition) {
        const set = this.#setOf(condition.not) ?? this.#collection.ids;
        if (sizeMaxOf(set) > 0) negative.push(set);
        continue;
      }
      const set = this.#setOf(condition);
      if (set !== undefined) positive.push(set);
    }
    if (positive.length > 0) positive.push(...this.#foreignBound());
    return { positive, negative };
  }

  #foreignBound(): IdSet[] {
    return this.#hasForeignIds ? [this.#collection.ids] : [];
  }

  #setOf(condition: Condition<D>): IdSet | undefined {
    spend(conditionSteps);
    if ("not" in condition) {
      return this.#collection.ids.without(asBitmap(this.#setOf(condition.not) ?? this.#collection.ids));
    }
    if ("anyOf" in condition) {
      const sets = condition.anyOf.map((each) => this.#setOf(each));
      return sets.includes(undefined) ? undefined : unionOf(sets as IdSet[]);
    }
    if ("ids" in condition) {
      this.#hasForeignIds = true;
      return "has" in condition.ids ? condition.ids : new Set(condition.ids);
    }
    const index = this.#collection.index(condition.index);
    if ("contains" in condition) throw new Error("texts are asked by probes");
    if ("from" in condition) {
      const range = new KeyRange(index as OrderedIndex<T>, condition.from, condition.to);
      return range.size === (index as OrderedIndex<T>).size ? undefined : range;
    }
    const found = (index as UniqueIndex<T> | MultiIndex<T>).find(condition.key);
    if (typeof found === "number") return new Set([found]);
    return found ?? new Set<number>();
  }

  #probeOf(condition: Condition<D>): Probe {
    const allIds = this.#collection.ids;
    if (!asksTexts(condition)) {
      const set = this.#setOf(condition) ?? allIds;
      return { estimate: set.size, listCost: set.size * setIdCost, has: (id) => set.has(id), list: () => set };
    }
    if ("contains" in condition) {
      return (this.#collection.index(condition.index) as TextIndex<T>).search(
        condition.contains,
        condition.in,
        this.#collection,
      );
    }
    if ("anyOf" in condition) return anyOf(condition.anyOf.map((each) => this.#probeOf(each)));
    const excluded = this.#probeOf((condition as { not: Condition<D> }).not);
    return {
      estimate: allIds.size - excluded.estimate,
      listCost: excluded.listCost + allIds.size * setIdCost,
      has: (id) => !excluded.has(id),
      list: () => allIds.without(Bitmap.of(excluded.list())),
    };
  }
}

function anyOf(probes: readonly Probe[]): Probe {
  const sum = (cost: (probe: Probe) => number) => probes.reduce((total, probe) => total + cost(probe), 0);
  return {
    get estimate() {
      return sum((probe) => probe.estimate);
    },
    get listCost() {
      return sum((probe) => probe.listCost);
    },
    has: (id) => {
      spend(probes.length);
      return probes.some((probe) => probe.has(id));
    },
    *list() {
      for (const probe of probes) yield* probe.list();
    },
  };
}

function* filtered(ids: Iterable<number>, probe: Probe): Generator<number> {
  for (const id of ids) if (probe.has(id)) yield id;
}

function asksTexts(condition: Condition<never>): boolean {
  if ("not" in condition) return asksTexts(condition.not);
  if ("anyOf" in condition) return condition.anyOf.some(asksTexts);
  return "contains" in condition;
}
