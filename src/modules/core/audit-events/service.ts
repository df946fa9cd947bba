import { accountOf, type Caller } from "../../../domain/caller.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type AuditAct, type AuditEventRecord, auditEvents, type EntityType } from "./records.ts";

/** One act, as the catalogue of audit-events 4 describes it. */
export interface AuditEntry {
  readonly event: string;
  readonly entity: { readonly type: EntityType; readonly id: number; readonly path: string };
  readonly target: { readonly type: string; readonly id: number | string; readonly details: string };
  readonly act: AuditAct;
}

/** Writes one event in the transaction of the act itself, so that neither is ever there without the other. */
export function recordAuditEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  entry: AuditEntry,
): AuditEventRecord {
  const { ipAddress } = caller;
  const user = accountOf(caller);
  return tx.append(auditEvents, {
    id: tx.nextId("audit_events"),
    author_id: user?.id ?? -1,
    entity_id: entry.entity.id,
    entity_type: entry.entity.type,
    event_name: entry.event,
    details: {
      event_name: entry.event,
      ...entry.act,
      author_name: user?.name ?? "An unauthenticated user",
      author_email: user?.email ?? null,
      author_class: user === undefined ? "UnauthenticatedAuthor" : "User",
      target_id: entry.target.id,
      target_type: entry.target.type,
      target_details: entry.target.details,
      ip_address: ipAddress,
      entity_path: entry.entity.path,
    },
    created_at: toDateTime(context.clock.now()),
  });
}
