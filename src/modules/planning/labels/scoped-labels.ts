/** Labels with a scope, such as `priority::high`: in premium, an issue or epic has one of each scope. */

import { includesTier } from "../../../domain/edition.ts";
import type { Context } from "../../kernel/context.ts";
import { labels } from "./records.ts";

/** The text before the last `::` of a title; undefined for a label without a scope. */
function scopeOf(title: string): string | undefined {
  const end = title.lastIndexOf("::");
  return end === -1 ? undefined : title.slice(0, end);
}

/**
 * Leaves out the labels whose scope a new one has, too; of several new ones, the last one stays. `ids` are in the order in which
 * they were named. Labels of one scope that are all present already stay.
 */
export function withoutRivals(
  { store, edition }: Pick<Context, "store" | "edition">,
  present: readonly number[],
  ids: readonly number[],
): number[] {
  if (!includesTier(edition, "premium")) return [...ids];
  const known = new Set(present);
  const scopes = new Map(ids.map((id) => [id, scopeOf(store.of(labels).get(id)?.title ?? "")]));
  const chosen = new Map<string, number>();
  for (const [id, scope] of scopes) if (scope !== undefined && !known.has(id)) chosen.set(scope, id);
  return ids.filter((id) => {
    const scope = scopes.get(id);
    return scope === undefined || (chosen.get(scope) ?? id) === id;
  });
}
