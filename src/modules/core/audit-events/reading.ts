import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { rowNotFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Context } from "../../kernel/context.ts";
import { levelIn } from "../access/index.ts";
import type { GroupRecord, ProjectRecord } from "../namespaces/index.ts";
import { type AuditEventRecord, actsKey, auditEvents, entityKey, entityTypeNamed, typeKey } from "./records.ts";
import type { ListInstanceEvents } from "./schema.ts";

/** Bounds are inclusive. */
interface Range {
  readonly created_after?: string;
  readonly created_before?: string;
}

type Source = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

/** `GET /audit_events`: those of every scope. */
export function listInstanceEvents(
  context: Context,
  params: Static<typeof ListInstanceEvents>,
  page: PageRequest,
): Page<AuditEventRecord> {
  const { entity_type: name, entity_id: id } = params;
  const type = name === undefined ? undefined : entityTypeNamed(name);
  if (type === undefined) return list(context, [], params, page);
  return list(context, [id === undefined ? typeKey(type) : entityKey(type, id)], params, page);
}

/** Those of a group or project itself: all of them, or the caller's own acts (audit-events 1.1). */
export function listEventsOf(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  range: Range,
  page: PageRequest,
): Page<AuditEventRecord> {
  const { type, id } = entityOf(source);
  const key = seesAll(context, caller, source) ? entityKey(type, id) : actsKey(type, id, caller.user.id);
  return list(context, [key], range, page);
}

/** Throws 404 for an event that is not there. */
export function getInstanceEvent({ store }: Context, id: number): AuditEventRecord {
  const event = store.logOf(auditEvents).get(id);
  if (event === undefined) throw rowNotFound();
  return event;
}

/** Throws 404 for an event of another group or project, and for others' acts where only one's own are shown. */
export function getEventOf(context: Context, caller: SignedInCaller, source: Source, id: number): AuditEventRecord {
  const event = getInstanceEvent(context, id);
  const entity = entityOf(source);
  if (event.entity_type !== entity.type || event.entity_id !== entity.id) throw rowNotFound();
  if (event.author_id !== caller.user.id && !seesAll(context, caller, source)) throw rowNotFound();
  return event;
}

function list(
  { store }: Context,
  keys: readonly string[],
  { created_after: after, created_before: before }: Range,
  page: PageRequest,
): Page<AuditEventRecord> {
  return store.logOf(auditEvents).page({
    keys,
    from: after === undefined ? undefined : Date.parse(after),
    to: before === undefined ? undefined : Date.parse(before),
    descending: true,
    page,
  });
}

function entityOf(source: Source): { readonly type: "Group" | "Project"; readonly id: number } {
  return "group" in source ? { type: "Group", id: source.group.id } : { type: "Project", id: source.project.id };
}

/** Owners of a group and maintainers of a project see everything there; others with a right to look, their own acts. */
function seesAll(context: Context, caller: SignedInCaller, source: Source): boolean {
  const needed: AccessLevel = "group" in source ? accessLevels.owner : accessLevels.maintainer;
  return levelIn(context, caller, source) >= needed;
}
