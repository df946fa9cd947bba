import { accessLevelName } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { findSource, recordOf, type Source, sourcePathOf } from "../../core/access/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { fullPathOf } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { groups } from "../groups/records.ts";
import { type GroupLinkRecord, groupLinks } from "./records.ts";

/** Creates a share, with the audit event; it replaces an expired one. */
export function insertLink(
  tx: Transaction,
  context: Context,
  caller: Caller,
  attributes: Omit<GroupLinkRecord, "id">,
  stale: GroupLinkRecord | undefined,
): GroupLinkRecord {
  if (stale !== undefined) removeLink(tx, context, caller, stale);
  const link = tx.insert(groupLinks, { id: tx.nextId("group_links"), ...attributes });
  recordLinkEvent(tx, context, caller, link, {
    group: "group_share_with_group_link_created",
    project: "project_group_link_created",
    message: (path) => `Shared with ${path} as ${accessLevelName(link.group_access)}`,
  });
  return link;
}

/** Ends a share, with the audit event. */
export function removeLink(tx: Transaction, context: Context, caller: Caller, link: GroupLinkRecord): void {
  tx.remove(groupLinks, link.id);
  recordLinkEvent(tx, context, caller, link, {
    group: "group_share_with_group_link_removed",
    project: "project_group_link_deleted",
    message: (path) => `No longer shared with ${path}`,
  });
}

function recordLinkEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  link: GroupLinkRecord,
  events: { readonly group: string; readonly project: string; readonly message: (path: string) => string },
): void {
  const { store } = context;
  const source: Source | undefined = findSource(store, { type: link.source_type, id: link.source_id });
  if (source === undefined || store.of(groups).get(link.group_id) === undefined) return;
  const path = fullPathOf(store, link.group_id);
  recordAuditEvent(tx, context, caller, {
    event: events[link.source_type],
    entity: {
      type: "group" in source ? "Group" : "Project",
      id: recordOf(source).id,
      path: sourcePathOf(store, source),
    },
    target: { type: "Group", id: link.group_id, details: path },
    act: { custom_message: events.message(path) },
  });
}
