import { type Page, type PageRequest, totalCountMax } from "../../domain/page.ts";
import { spend } from "../../domain/work-budget.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { partOf } from "../query/ordered-scan.ts";
import type { Postings } from "../query/postings.ts";
import type { LogDocuments, LogQuery } from "./log-collection.ts";
import type { LogIndex } from "./log-index.ts";

/** Returns one page of a log in the order of its ids, with the exact total up to 10,000. Reads only the returned entries. */
export function queryLog<T extends StoredDocument>(log: LogDocuments<T>, index: LogIndex<T>, query: LogQuery): Page<T> {
  const { page } = query;
  if (page.kind === "keyset") {
    const ids = take(matching(index, query, page.after?.id), 0, page.perPage + 1);
    const items = documentsOf(log, ids.slice(0, page.perPage));
    const last = items.at(-1);
    const hasNext = ids.length > page.perPage;
    return { items, total: undefined, hasNext, next: hasNext && last ? { key: last.id, id: last.id } : undefined };
  }
  const offset = (page.page - 1) * page.perPage;
  const total = countOf(index, query);
  const ids = offset < total ? take(matching(index, query, undefined), offset, page.perPage) : [];
  return {
    items: documentsOf(log, ids),
    total: total > totalCountMax ? undefined : total,
    hasNext: ids.length > 0 && offset + ids.length < total,
    next: undefined,
  };
}

/** Returns one offset page of the entries with a key, the latest first. Reads only the returned entries. */
export function latestOf<T extends StoredDocument>(
  log: LogDocuments<T>,
  index: LogIndex<T>,
  key: string,
  page: PageRequest,
): Page<T> {
  if (index.byTime === undefined) throw new Error("the log has no order by time");
  if (page.kind === "keyset") throw new Error("no keyset pages by time");
  const candidates = index.find(key);
  const total = candidates?.size ?? 0;
  const skip = (page.page - 1) * page.perPage;
  const part = { descending: true, after: undefined, skip, limit: page.perPage };
  const ids = candidates === undefined || skip >= total ? [] : partOf(index.byTime, candidates, part);
  return {
    items: documentsOf(log, ids),
    total: total > totalCountMax ? undefined : total,
    hasNext: ids.length > 0 && skip + ids.length < total,
    next: undefined,
  };
}

/** Yields matching ids in order, after `start`. */
function* matching<T extends StoredDocument>(
  index: LogIndex<T>,
  query: LogQuery,
  start: number | undefined,
): Generator<number> {
  const { from, to } = boundsOf(query);
  const lists = postingsOf(index, query);
  if (lists === undefined) return;
  const [smallest, ...others] = lists;
  if (smallest === undefined) {
    yield* index.times.walk(from, to, query.descending, start);
    return;
  }
  const isBounded = query.from !== undefined || query.to !== undefined;
  const { lowest, highest } = index.times.idsWithin(from, to);
  const beginning = query.descending ? Math.min(start ?? highest + 1, highest + 1) : Math.max(start ?? 0, lowest - 1);
  for (let next: number | undefined = beginning; next !== undefined; ) {
    const walk: Generator<number> = smallest.walk(query.descending, next);
    next = undefined;
    for (const id of walk) {
      spend(1 + others.length);
      if (id < lowest || id > highest) return;
      if (isBounded && !index.times.mayBeWithin(id, from, to)) {
        next = index.times.startAfterGap(id, from, to, query.descending);
        break;
      }
      if (others.every((each) => each.has(id)) && (!isBounded || index.times.isWithin(id, from, to))) yield id;
    }
  }
}

/** Counts exactly up to the largest total that the API shows. Above that, any larger number suffices. */
function countOf<T extends StoredDocument>(index: LogIndex<T>, query: LogQuery): number {
  const lists = postingsOf(index, query);
  if (lists === undefined) return 0;
  const isBounded = query.from !== undefined || query.to !== undefined;
  const needed = query.page.kind === "offset" ? query.page.page * query.page.perPage : 0;
  if (lists.length === 0) {
    const { from, to } = boundsOf(query);
    return isBounded ? index.times.countWithin(from, to, Math.max(totalCountMax, needed)) : index.size;
  }
  if (lists.length === 1 && !isBounded) return (lists[0] as Postings).size;
  return take(matching(index, query, undefined), 0, Math.max(totalCountMax, needed) + 1).length;
}

/** Returns the postings of all keys, the shortest first; undefined when no entry has one of the keys. */
function postingsOf<T extends StoredDocument>(index: LogIndex<T>, { keys }: LogQuery): Postings[] | undefined {
  const lists: Postings[] = [];
  for (const key of keys) {
    const found = index.find(key);
    if (found === undefined || found.size === 0) return undefined;
    lists.push(found);
  }
  return lists.sort((a, b) => a.size - b.size);
}

function boundsOf({ from, to }: LogQuery): { from: number; to: number } {
  return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY };
}

function take(ids: Iterable<number>, offset: number, limit: number): number[] {
  const taken: number[] = [];
  let seen = 0;
  for (const id of ids) {
    spend(1);
    seen += 1;
    if (seen <= offset) continue;
    taken.push(id);
    if (taken.length === limit) break;
  }
  return taken;
}

function documentsOf<T extends StoredDocument>(log: LogDocuments<T>, ids: readonly number[]): T[] {
  return ids.map((id) => {
    const document = log.get(id);
    if (document === undefined) throw new Error(`log entry ${id} is indexed but missing`);
    return document;
  });
}
