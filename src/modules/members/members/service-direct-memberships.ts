import { accessLevels } from "../../../domain/access-level.ts";
import { includesTier } from "../../../domain/edition.ts";
import { notFoundLowerCase } from "../../../domain/failure.ts";
import { holderKey } from "../../../domain/source.ts";
import { Access, namespacesOf, refOf, type Source } from "../../core/access/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isExpired, type MembershipRecord, memberships } from "./records.ts";

/** Minimal access is there for editions that sell it; the others keep it and show nothing of it. */
export function isMinimalVisible({ edition }: Context): boolean {
  return includesTier(edition, "premium");
}

/** Whether the membership has not expired and the edition shows it. */
export function isVisible(context: Context, row: MembershipRecord): boolean {
  if (isExpired(row, context.get(Access).today)) return false;
  return row.access_level !== accessLevels.minimal || isMinimalVisible(context);
}

/** The direct membership of a user, if it is visible. */
export function findMembership(context: Context, source: Source, userId: number): MembershipRecord | undefined {
  const documents = context.store.of(memberships);
  const id = documents.by.holder.find(holderKey(refOf(source), userId));
  const row = id === undefined ? undefined : documents.get(id);
  return row !== undefined && isVisible(context, row) ? row : undefined;
}

/** Throws 404 `Not found`. */
export function getMembership(context: Context, source: Source, userId: number): MembershipRecord {
  const row = findMembership(context, source, userId);
  if (row === undefined) throw notFoundLowerCase();
  return row;
}

/** The direct memberships of a user in the group and in everything below it, oldest first. */
export function membershipsBelow(context: Context, userId: number, groupId: number): MembershipRecord[] {
  const { store } = context;
  return [...store.of(memberships).by.user_id.find(userId)]
    .map((id) => store.of(memberships).get(id))
    .filter((row) => row !== undefined)
    .filter((row) => isVisible(context, row) && namespaceIdsOf(context, row).includes(groupId))
    .sort((one, other) => one.id - other.id);
}

/** The top-level group or personal namespace over a row's source; undefined when the source is deleted. */
export function rootIdOf(context: Context, row: MembershipRecord): number | undefined {
  return namespaceIdsOf(context, row).at(-1);
}

function namespaceIdsOf({ store }: Context, { source_type, source_id }: MembershipRecord): number[] {
  if (source_type === "group") {
    const group = store.of(groups).get(source_id);
    return group === undefined ? [] : namespacesOf(store, { group }).map(({ id }) => id);
  }
  const project = store.of(projects).get(source_id);
  return project === undefined ? [] : namespacesOf(store, { project }).map(({ id }) => id);
}
