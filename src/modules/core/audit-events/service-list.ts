import type { Static } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFoundLowerCase } from "../../../domain/failure.ts";
import type { Page, PageRequest, Position } from "../../../domain/page.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { levelIn } from "../access/index.ts";
import { type AuditEventRecord, actsByAuthorKey, auditEvents, entityKey, entityTypeNamed, typeKey } from "./records.ts";
import type { ListInstanceEvents } from "./schema.ts";

/** Bounds are inclusive. */
interface Range {
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Filters of the events of the instance. */
export type EventFilter = Pick<
  Static<typeof ListInstanceEvents>,
  "created_after" | "created_before" | "entity_type" | "entity_id"
>;

/** Some hundreds of kilobytes. */
const exportedAtOnce = 1000;

type Source = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

/** `GET /audit_events`: those of every scope. */
export function listInstanceEvents(
  context: Context,
  params: Static<typeof ListInstanceEvents>,
  page: PageRequest,
): Page<AuditEventRecord> {
  return list(context, keysOf(params), params, page);
}

/** Yields the events of every scope, oldest first, some at a time: memory may not hold them all. */
export function* eventsWithin(context: Context, params: EventFilter): Generator<readonly AuditEventRecord[]> {
  let after: Position | undefined;
  do {
    const page = { kind: "keyset", after, perPage: exportedAtOnce } as const;
    const { items, next } = list(context, keysOf(params), params, page, false);
    yield items;
    after = next;
  } while (after !== undefined);
}

function keysOf({ entity_type: name, entity_id: id }: EventFilter): string[] {
  const type = name === undefined ? undefined : entityTypeNamed(name);
  if (type === undefined) return [];
  return [id === undefined ? typeKey(type) : entityKey(type, id)];
}

/** The events of a group or project itself: all of them, or the caller's own acts (audit-events 1.1). */
export function listEventsOf(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  range: Range,
  page: PageRequest,
): Page<AuditEventRecord> {
  const { type, id } = entityOf(source);
  const key = canSeeAll(context, caller, source) ? entityKey(type, id) : actsByAuthorKey(type, id, caller.user.id);
  return list(context, [key], range, page);
}

/** Throws 404 for an event that is not there. */
export function getInstanceEvent({ store }: Context, id: number): AuditEventRecord {
  const event = store.logOf(auditEvents).get(id);
  if (event === undefined) throw notFoundLowerCase();
  return event;
}

/** Throws 404 for an event of another group or project, and for others' acts where only one's own are shown. */
export function getEventOf(context: Context, caller: SignedInCaller, source: Source, id: number): AuditEventRecord {
  const event = getInstanceEvent(context, id);
  const entity = entityOf(source);
  if (event.entity_type !== entity.type || event.entity_id !== entity.id) throw notFoundLowerCase();
  if (event.author_id !== caller.user.id && !canSeeAll(context, caller, source)) throw notFoundLowerCase();
  return event;
}

function list(
  { store }: Context,
  keys: readonly string[],
  { created_after: after, created_before: before }: Range,
  page: PageRequest,
  descending = true,
): Page<AuditEventRecord> {
  return store.logOf(auditEvents).page({
    keys,
    from: after === undefined ? undefined : Date.parse(after),
    to: before === undefined ? undefined : Date.parse(before),
    descending,
    page,
  });
}

function entityOf(source: Source): { readonly type: "Group" | "Project"; readonly id: number } {
  return "group" in source ? { type: "Group", id: source.group.id } : { type: "Project", id: source.project.id };
}

/** Owners of a group and maintainers of a project see everything there; others with a right to look, their own acts. */
function canSeeAll(context: Context, caller: SignedInCaller, source: Source): boolean {
  const needed: AccessLevel = "group" in source ? accessLevels.owner : accessLevels.maintainer;
  return levelIn(context, caller, source) >= needed;
}
