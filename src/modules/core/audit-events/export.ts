import type { Position } from "../../../domain/page.ts";
import type { Store } from "../../../store/index.ts";
import { type AuditEventRecord, auditEvents, type EntityType, entityKey, typeKey } from "./records.ts";

/** Which events; bounds are milliseconds since 1970 and inclusive. */
export interface EventRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly entity: { readonly type: EntityType; readonly id: number | undefined } | undefined;
}

/** Events at a time: some hundreds of kilobytes. */
const perPage = 1000;

/** The events, oldest first, some at a time: there may be more of them than memory holds. */
export function* eventsWithin(store: Store, { from, to, entity }: EventRange): Generator<readonly AuditEventRecord[]> {
  const keys = entity === undefined ? [] : [keyOf(entity)];
  let after: Position | undefined;
  do {
    const page = { kind: "keyset", after, perPage } as const;
    const { items, next } = store.logOf(auditEvents).page({ keys, from, to, descending: false, page });
    yield items;
    after = next;
  } while (after !== undefined);
}

function keyOf({ type, id }: NonNullable<EventRange["entity"]>): string {
  return id === undefined ? typeKey(type) : entityKey(type, id);
}
