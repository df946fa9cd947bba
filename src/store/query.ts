import { type Page, type PageRequest, type Position, totalCountMax } from "../domain/page.ts";
import type { HotCollection, IndexDeclarations } from "./collection.ts";
import { asBitmap, type IdSet } from "./id-set.ts";
import type { BitmapIndex } from "./indexes/bitmap-index.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { MultiIndex } from "./indexes/multi-index.ts";
import type { OrderedIndex, OrderKey } from "./indexes/ordered-index.ts";
import type { TextIndex } from "./indexes/text-index.ts";
import type { Key, UniqueIndex } from "./indexes/unique-index.ts";

/** What an index can answer. Conditions of one list hold together. */
export type Condition<D> =
  | { readonly index: keyof D & string; readonly key: Key }
  | { readonly index: keyof D & string; readonly from: OrderKey | undefined; readonly to: OrderKey | undefined }
  /** Leaves a few that do not contain the words, and everybody while the index is being built: needs `matches`. */
  | { readonly index: keyof D & string; readonly contains: readonly string[] }
  /** Sets are read as they are, without a copy; ids of no document are left out. */
  | { readonly ids: IdSet | readonly number[] }
  | { readonly anyOf: readonly Condition<D>[] }
  | { readonly not: Condition<D> };

export interface Query<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly where: readonly Condition<D>[];
  /** Name of an ordered index. */
  readonly order: keyof D & string;
  readonly descending: boolean;
  readonly page: PageRequest;
  /** Ids that come before all others, in this order, as far as the conditions let them in. Offset pages only. */
  readonly first?: readonly number[] | undefined;
  /** What no index answers: looked at last, on the documents that the conditions leave. */
  readonly matches?: ((document: T) => boolean) | undefined;
}

/** Sets this small are kept as lists of ids, larger ones as bits. */
const smallMax = 1_000;
/** A set this small is put in order by itself; a larger one is met on a walk along the order. */
const sortMax = 32_768;

/** One page of what the conditions leave, in the order asked for, with the exact total up to 10,000. */
export function queryPage<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: HotCollection<T>,
  query: Query<T, D>,
): Page<T> {
  const order = collection.order(query.order);
  const candidates = new Evaluation<T, D>(collection).all(query.where);
  const ids = withFirst(query.first, candidates, collection.ids, idsInOrder(order, query, candidates));
  return query.page.kind === "offset"
    ? offsetPage(collection, query, order, candidates, ids, query.page)
    : keysetPage(collection, order, ids, query);
}

function offsetPage<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: HotCollection<T>,
  query: Query<T, D>,
  order: OrderedIndex<T>,
  candidates: IdSet | undefined,
  ids: Iterable<number>,
  { page, perPage }: Extract<PageRequest, { kind: "offset" }>,
): Page<T> {
  const offset = (page - 1) * perPage;
  if (query.matches === undefined && candidates === undefined && query.first === undefined) {
    const items = documentsOf(collection, order.slice(offset, perPage, query.descending));
    return offsetResult(items, order.size, offset);
  }
  const knownTotal = query.matches === undefined ? (candidates ?? order).size : undefined;
  const found: number[] = [];
  let seen = 0;
  for (const id of ids) {
    if (query.matches !== undefined && !query.matches(collection.get(id) as T)) continue;
    if (seen >= offset && found.length < perPage) found.push(id);
    seen += 1;
    if (knownTotal !== undefined && found.length === perPage) break;
    // Enough is known: the page is full and the total is beyond what is told.
    if (seen > totalCountMax && seen > offset + perPage) break;
  }
  return offsetResult(documentsOf(collection, found), knownTotal ?? seen, offset);
}

function offsetResult<T>(items: readonly T[], total: number, offset: number): Page<T> {
  return {
    items,
    total: total > totalCountMax ? undefined : total,
    hasNext: offset + items.length < total && items.length > 0,
    next: undefined,
  };
}

function keysetPage<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: HotCollection<T>,
  order: OrderedIndex<T>,
  ids: Iterable<number>,
  { page: { perPage }, matches }: Query<T, D>,
): Page<T> {
  const items: T[] = [];
  let hasNext = false;
  for (const id of ids) {
    const document = collection.get(id) as T;
    if (matches !== undefined && !matches(document)) continue;
    if (items.length === perPage) {
      hasNext = true;
      break;
    }
    items.push(document);
  }
  const last = items.at(-1);
  const next = hasNext && last !== undefined ? order.positionOf(last.id) : undefined;
  return { items, total: undefined, hasNext, next };
}

function withFirst(
  first: readonly number[] | undefined,
  candidates: IdSet | undefined,
  everybody: IdSet,
  rest: Iterable<number>,
): Iterable<number> {
  if (first === undefined || first.length === 0) return rest;
  const leading = new Set(first.filter((id) => (candidates ?? everybody).has(id)));
  return chain(leading, rest);
}

function* chain(leading: ReadonlySet<number>, rest: Iterable<number>): Generator<number> {
  yield* leading;
  for (const id of rest) if (!leading.has(id)) yield id;
}

function* idsInOrder<T extends StoredDocument, D extends IndexDeclarations<T>>(
  order: OrderedIndex<T>,
  { descending, page }: Query<T, D>,
  candidates: IdSet | undefined,
): Generator<number> {
  const after = page.kind === "keyset" ? page.after : undefined;
  if (candidates === undefined) {
    yield* order.walk(descending, after);
    return;
  }
  if (candidates.size > sortMax) {
    for (const id of order.walk(descending, after)) if (candidates.has(id)) yield id;
    return;
  }
  yield* sortedIds(
    order,
    candidates,
    descending,
    after,
    page.kind === "offset" ? page.page * page.perPage : page.perPage + 1,
  );
}

/** Below this, the first ones are picked out on the way; above it, everything is sorted. */
const pickMax = 256;

/** Candidates in order, behind `after`; at least `needed` of them come cheaply. */
function* sortedIds<T extends StoredDocument>(
  order: OrderedIndex<T>,
  candidates: IdSet,
  descending: boolean,
  after: Position | undefined,
  needed: number,
): Generator<number> {
  const compare = descending ? (a: Position, b: Position) => comparePositions(b, a) : comparePositions;
  const rest: Position[] = [];
  const first: Position[] = [];
  for (const id of candidates) {
    const position = order.positionOf(id);
    if (after !== undefined && compare(position, after) <= 0) continue;
    if (needed > pickMax) {
      rest.push(position);
      continue;
    }
    const last = first[needed - 1];
    if (last === undefined || compare(position, last) < 0) insertInOrder(first, position, compare);
    else rest.push(position);
    if (first.length > needed) rest.push(first.pop() as Position);
  }
  for (const { id } of first) yield id;
  for (const { id } of rest.sort(compare)) yield id;
}

function insertInOrder(sorted: Position[], position: Position, compare: (a: Position, b: Position) => number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as Position, position) < 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, position);
}

function comparePositions(a: Position, b: Position): number {
  if (a.key === b.key) return a.id - b.id;
  return a.key < b.key ? -1 : 1;
}

function documentsOf<T extends StoredDocument>(collection: HotCollection<T>, ids: Iterable<number>): T[] {
  const documents: T[] = [];
  for (const id of ids) {
    const document = collection.get(id);
    if (document !== undefined) documents.push(document);
  }
  return documents;
}

/** Turns conditions into sets of ids, the small ones first. undefined stands for everybody. */
class Evaluation<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly #collection: HotCollection<T>;
  /** Ids were handed in, and some of them may be of no document. */
  #hasForeignIds = false;

  constructor(collection: HotCollection<T>) {
    this.#collection = collection;
  }

  all(conditions: readonly Condition<D>[]): IdSet | undefined {
    const positive: IdSet[] = [];
    const negative: IdSet[] = [];
    for (const condition of conditions) {
      const set = "not" in condition ? this.#excludedBy(condition.not) : this.#setOf(condition);
      if (set !== undefined) ("not" in condition ? negative : positive).push(set);
    }
    if (positive.length === 0 && negative.every((set) => set.size === 0)) return undefined;
    if (this.#hasForeignIds) positive.push(this.#collection.ids);
    positive.sort((a, b) => a.size - b.size);
    const [first, ...others] = positive;
    if (first !== undefined && first.size <= smallMax) {
      const ids = new Set<number>();
      for (const id of first) {
        if (others.every((set) => set.has(id)) && !negative.some((set) => set.has(id))) ids.add(id);
      }
      return ids;
    }
    let result = first === undefined ? this.#collection.ids : asBitmap(first);
    for (const set of others) result = result.and(asBitmap(set));
    for (const set of negative) if (set.size > 0) result = result.without(asBitmap(set));
    return result;
  }

  /** What a superset rules out cannot be known, so such conditions may not be negated. */
  #excludedBy(condition: Condition<D>): IdSet {
    const set = this.#setOf(condition);
    return set ?? this.#collection.ids;
  }

  #setOf(condition: Condition<D>): IdSet | undefined {
    if ("not" in condition) return this.#collection.ids.without(asBitmap(this.#excludedBy(condition.not)));
    if ("anyOf" in condition) return this.#unionOf(condition.anyOf);
    if ("ids" in condition) {
      this.#hasForeignIds = true;
      return "has" in condition.ids ? condition.ids : new Set(condition.ids);
    }
    const index: unknown = this.#collection.indexes.get(condition.index);
    if (index === undefined) throw new Error(`${this.#collection.name}: no index ${condition.index}`);
    if ("contains" in condition) {
      return (index as TextIndex<T>).candidates(condition.contains);
    }
    if ("from" in condition) return this.#rangeOf(index as OrderedIndex<T>, condition.from, condition.to);
    const found = (index as UniqueIndex<T> | MultiIndex<T> | BitmapIndex<T>).find(condition.key);
    if (typeof found === "number") return new Set([found]);
    return found ?? new Set<number>();
  }

  #unionOf(conditions: readonly Condition<D>[]): IdSet | undefined {
    const sets: IdSet[] = [];
    for (const condition of conditions) {
      const set = this.#setOf(condition);
      if (set === undefined) return undefined;
      sets.push(set);
    }
    if (sets.reduce((sum, set) => sum + set.size, 0) <= smallMax) return new Set(sets.flatMap((set) => [...set]));
    return sets.map(asBitmap).reduce((a, b) => a.or(b));
  }

  #rangeOf(order: OrderedIndex<T>, from: OrderKey | undefined, to: OrderKey | undefined): IdSet | undefined {
    const count = order.countBetween(from, to);
    if (count === order.size) return undefined;
    return count <= smallMax ? new Set(order.between(from, to)) : order.bitmapBetween(from, to);
  }
}
