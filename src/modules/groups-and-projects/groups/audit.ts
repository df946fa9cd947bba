/** The audit events about groups. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import type { AuditAct } from "../../core/audit-events/records.ts";
import { fullPathOf } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { GroupRecord } from "./records.ts";

/** An event of a group about itself; `path` is the full one, as it is now unless given. */
export function recordGroupEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  group: GroupRecord,
  event: string,
  act: AuditAct,
  path = fullPathOf(context.store, group.id),
): void {
  recordAuditEvent(tx, context, caller, {
    event,
    entity: { type: "Group", id: group.id, path },
    target: { type: "Group", id: group.id, details: path },
    act,
  });
}
