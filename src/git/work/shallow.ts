/** The ends of a shallow history (`--depth` and its like). */

import { commitAt, commitHeadAt } from "../packing/ancestry.ts";
import type { ObjectStore } from "../packing/object-store.ts";
import { hexOf, OidTable, oidOf } from "../packing/oid-table.ts";
import { depthInfinite, type FetchRequest } from "../transport/fetch-request.ts";

export interface ShallowHistory {
  /** Commits whose parents are not sent. */
  readonly shallow: OidTable;
  /** The client gets these commits without their parents, and those of `unshallow` with them. */
  readonly newlyShallow: readonly string[];
  readonly unshallow: readonly string[];
}

/** undefined when the request says nothing of a depth. */
export function shallowHistoryOf(
  store: ObjectStore,
  request: FetchRequest,
  notCommits: readonly Uint8Array[],
): ShallowHistory | undefined {
  const { depth, since, isDepthRelative } = request;
  if (depth === undefined && since === undefined && request.notRefs.length === 0) return undefined;
  const tips = request.wants.map((want) => commitAt(store, oidOf(want))).filter((oid) => oid !== undefined);
  const client = tableOf(request.shallow);
  const walk =
    depth === undefined
      ? walkWhile(store, tips, since ?? 0, ancestorsOf(store, notCommits))
      : walkDepth(
          store,
          tips,
          depth === depthInfinite ? Number.POSITIVE_INFINITY : depth,
          isDepthRelative ? client : undefined,
        );
  const newlyShallow: string[] = [];
  for (const [oid] of walk.ends.entries()) if (!client.has(oid)) newlyShallow.push(hexOf(oid));
  const unshallow = request.shallow.filter((oid) => walk.seen.has(oidOf(oid)) && !walk.ends.has(oidOf(oid)));
  const gone = tableOf(unshallow);
  // The client's own ends stay where this walk did not come to them.
  for (const oid of request.shallow) if (!gone.has(oidOf(oid))) walk.ends.add(oidOf(oid));
  return { shallow: walk.ends, newlyShallow, unshallow };
}

export function tableOf(oids: readonly string[]): OidTable {
  const table = new OidTable();
  for (const oid of oids) table.add(oidOf(oid));
  return table;
}

interface Walk {
  readonly seen: OidTable;
  readonly ends: OidTable;
}

/** Breadth first, so that each commit is met at its smallest depth. `from`: the depth counts from these commits on. */
function walkDepth(store: ObjectStore, tips: readonly Uint8Array[], depth: number, from: OidTable | undefined): Walk {
  const [seen, ends] = [new OidTable(), new OidTable()];
  let level = tips.map((oid) => ({ oid, left: from === undefined ? depth : Number.POSITIVE_INFINITY }));
  const deepest = new OidTable();
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { oid, left } of level) {
      const here = from?.has(oid) ? Math.min(left, depth + 1) : left;
      const rank = here === Number.POSITIVE_INFINITY ? 0xffff_fff0 : here;
      const before = deepest.get(oid);
      if (before !== undefined && before >= rank) continue;
      deepest.set(oid, 0, rank);
      seen.add(oid);
      for (const parent of here > 1 ? commitHeadAt(store, oid).parents : []) next.push({ oid: parent, left: here - 1 });
    }
    level = next;
  }
  for (const [oid, left] of deepest.entries()) {
    if (left <= 1 && commitHeadAt(store, oid).parents.length > 0) ends.add(oid);
  }
  return { seen, ends };
}

/** Commits not older than `since` and not among `others`; the ends are those with a parent that is. */
function walkWhile(store: ObjectStore, tips: readonly Uint8Array[], since: number, others: OidTable): Walk {
  const [seen, ends] = [new OidTable(), new OidTable()];
  const isWanted = (oid: Uint8Array) => !others.has(oid) && commitHeadAt(store, oid).time >= since;
  const waiting = tips.filter(isWanted);
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (!seen.add(oid)) continue;
    for (const parent of commitHeadAt(store, oid).parents) {
      if (isWanted(parent)) waiting.push(parent);
      else ends.add(oid);
    }
  }
  return { seen, ends };
}

function ancestorsOf(store: ObjectStore, commits: readonly Uint8Array[]): OidTable {
  const found = new OidTable();
  const waiting = [...commits];
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (found.add(oid)) waiting.push(...commitHeadAt(store, oid).parents);
  }
  return found;
}
