/** The audit events about users. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type AuditEntry, recordAuditEvent } from "../audit-events/index.ts";
import type { UserRecord } from "./records.ts";

/** An event about a user, whose target is the user unless it is something of theirs. */
export function recordUserEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  { id, name, username }: UserRecord,
  event: string,
  act: AuditEntry["act"],
  target: AuditEntry["target"] = { type: "User", id, details: name },
): void {
  recordAuditEvent(tx, context, caller, { event, entity: { type: "User", id, path: username }, target, act });
}
