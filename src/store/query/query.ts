import { type Page, type PageRequest, type Position, totalCountMax } from "../../domain/page.ts";
import { spend } from "../../domain/work-budget.ts";
import type { IndexDeclarations, MemoryCollection } from "../collection.ts";
import type { StoredDocument } from "../indexes/index.ts";
import type { OrderedIndex } from "../indexes/ordered-index.ts";
import type { Condition } from "./condition.ts";
import type { IdSet } from "./id-set.ts";
import { partOf, type ScanRange, sortedCandidates } from "./ordered-scan.ts";
import { QueryPlan } from "./query-plan.ts";
import type { PartCount } from "./set-algebra.ts";

export interface Query<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly where: readonly Condition<D>[];
  /** The name of an ordered index. */
  readonly order: keyof D & string;
  readonly descending: boolean;
  readonly page: PageRequest;
  /** Ids that come before all others, in this order, if they match the conditions. Only for offset pages. */
  readonly first?: readonly number[] | undefined;
  /** A test that no index can answer. It runs last, on the documents that match the conditions. */
  readonly matches?: ((document: T) => boolean) | undefined;
}

type Test = (id: number) => boolean;

/** Up to this many candidates of a test are sorted. More are visited by a walk along the order. */
const sortMax = 32_768;

/** Returns one page of the documents that match the conditions, in the given order, with the exact total up to 10,000. */
export function queryPage<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: MemoryCollection<T>,
  query: Query<T, D>,
): Page<T> {
  const { page, matches } = query;
  const order = collection.order(query.order);
  const needed = page.kind === "offset" ? Math.max(totalCountMax + 1, page.page * page.perPage) : page.perPage + 1;
  const { ids, test } = new QueryPlan<T, D>(collection).candidates(query.where, needed);
  const isMatch = matches && ((id: number) => matches(collection.get(id) as T));
  const tests = [test, isMatch].filter((each) => each !== undefined);
  const found = new Found(collection, order, query, ids, tests);
  return page.kind === "offset" ? found.offsetPage(page) : found.keysetPage(page);
}

/** Returns the ids of the documents that match the conditions, unordered. Valid until the next change. */
export function queryIds<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: MemoryCollection<T>,
  where: readonly Condition<D>[],
): IdSet {
  return new QueryPlan<T, D>(collection).candidates(where, Number.POSITIVE_INFINITY).ids ?? collection.ids;
}

/** Counts the documents that match the conditions, and those of them that match `part`. */
export function queryCount<T extends StoredDocument, D extends IndexDeclarations<T>>(
  collection: MemoryCollection<T>,
  where: readonly Condition<D>[],
  part?: Condition<D>,
): PartCount {
  return new QueryPlan<T, D>(collection).count(where, part);
}

class Found<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly #collection: MemoryCollection<T>;
  readonly #order: OrderedIndex<T>;
  readonly #query: Query<T, D>;
  /** undefined stands for all documents. */
  readonly #candidates: IdSet | undefined;
  readonly #tests: readonly Test[];

  constructor(
    collection: MemoryCollection<T>,
    order: OrderedIndex<T>,
    query: Query<T, D>,
    candidates: IdSet | undefined,
    tests: readonly Test[],
  ) {
    this.#collection = collection;
    this.#order = order;
    this.#query = query;
    this.#candidates = candidates;
    this.#tests = tests;
  }

  offsetPage({ page, perPage }: Extract<PageRequest, { kind: "offset" }>): Page<T> {
    const offset = (page - 1) * perPage;
    const { ids, total } = this.#tests.length === 0 ? this.#known(offset, perPage) : this.#tested(offset, perPage);
    return {
      items: this.#documentsOf(ids),
      total: total > totalCountMax ? undefined : total,
      hasNext: offset + ids.length < total && ids.length > 0,
      next: undefined,
    };
  }

  keysetPage({ after, perPage }: Extract<PageRequest, { kind: "keyset" }>): Page<T> {
    const limit = perPage + 1;
    const ids =
      this.#tests.length === 0
        ? this.#part({ descending: this.#query.descending, after, skip: 0, limit })
        : this.#firstTested(after, limit);
    const hasNext = ids.length === limit;
    const last = ids[perPage - 1];
    return {
      items: this.#documentsOf(ids.slice(0, perPage)),
      total: undefined,
      hasNext,
      next: hasNext && last !== undefined ? this.#order.positionOf(last) : undefined,
    };
  }

  /** Returns a page when no test is left: every candidate matches. */
  #known(offset: number, perPage: number): { ids: number[]; total: number } {
    const { descending, first } = this.#query;
    const total = (this.#candidates ?? this.#order).size;
    if (first === undefined) {
      return { ids: this.#part({ descending, after: undefined, skip: offset, limit: perPage }), total };
    }
    const leading = this.#leading();
    const ids = [...leading].slice(offset, offset + perPage);
    const skip = Math.max(0, offset - leading.size);
    const limit = perPage - ids.length;
    if (limit > 0) ids.push(...this.#part({ descending, after: undefined, skip, limit }, leading));
    return { ids, total };
  }

  /** Tests candidates until the page is full and the total exceeds the largest one that the API shows. */
  #tested(offset: number, perPage: number): { ids: number[]; total: number } {
    const ids: number[] = [];
    const leading = this.#leading();
    let total = 0;
    const take = (id: number) => {
      spend(1 + this.#tests.length);
      if (!this.#tests.every((test) => test(id))) return;
      if (total >= offset && ids.length < perPage) ids.push(id);
      total += 1;
    };
    for (const id of leading) take(id);
    for (const id of this.#inOrder(undefined, offset + perPage)) {
      if (!leading.has(id)) take(id);
      if (total > totalCountMax && total > offset + perPage) break;
    }
    return { ids, total };
  }

  #firstTested(after: Position | undefined, limit: number): number[] {
    const ids: number[] = [];
    for (const id of this.#inOrder(after, limit)) {
      spend(1 + this.#tests.length);
      if (this.#tests.every((test) => test(id)) && ids.push(id) === limit) break;
    }
    return ids;
  }

  #leading(): Set<number> {
    const candidates = this.#candidates ?? this.#collection.ids;
    return new Set((this.#query.first ?? []).filter((id) => candidates.has(id)));
  }

  #part(part: ScanRange, leading = nothing): number[] {
    const order = this.#order;
    const candidates = leading.size > 0 ? (this.#candidates ?? this.#collection.ids) : this.#candidates;
    if (candidates !== undefined) {
      return partOf(order, leading.size > 0 ? new Rest(candidates, leading) : candidates, part);
    }
    if (part.after === undefined) return order.slice(part.skip, part.limit, part.descending);
    return order.pick(this.#collection.ids, { ...part, stepsMax: Number.POSITIVE_INFINITY }) ?? [];
  }

  *#inOrder(after: Position | undefined, needed: number): Generator<number> {
    const { descending } = this.#query;
    const candidates = this.#candidates;
    if (candidates !== undefined && candidates.size <= sortMax) {
      yield* sortedCandidates(this.#order, candidates, descending, after, needed);
      return;
    }
    for (const id of this.#order.walk(descending, after)) {
      if (candidates === undefined || candidates.has(id)) yield id;
    }
  }

  #documentsOf(ids: readonly number[]): T[] {
    const documents: T[] = [];
    for (const id of ids) {
      const document = this.#collection.get(id);
      if (document !== undefined) documents.push(document);
    }
    return documents;
  }
}

const nothing: ReadonlySet<number> = new Set();

/** A set without some of its ids. */
class Rest implements IdSet {
  readonly size: number;
  readonly #set: IdSet;
  readonly #without: ReadonlySet<number>;

  constructor(set: IdSet, without: ReadonlySet<number>) {
    this.#set = set;
    this.#without = without;
    this.size = set.size - without.size;
  }

  has(id: number): boolean {
    return this.#set.has(id) && !this.#without.has(id);
  }

  *[Symbol.iterator](): Generator<number> {
    for (const id of this.#set) if (!this.#without.has(id)) yield id;
  }
}
