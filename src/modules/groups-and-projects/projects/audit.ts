/** The audit events about projects. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { type AuditEntry, recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { ProjectRecord } from "./records.ts";

/** An event about a project whose target is the project itself (audit-events 4). */
export function recordProjectEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  event: string,
  act: AuditEntry["act"],
  entity?: AuditEntry["entity"],
): void {
  const path = projectPathOf(context.store, project);
  recordAuditEvent(tx, context, caller, {
    event,
    entity: entity ?? { type: "Project", id: project.id, path },
    target: { type: "Project", id: project.id, details: path },
    act,
  });
}

/** A change of an attribute, as texts. */
export function changeOf(change: string, from: string, to: string): AuditEntry["act"] {
  return { change, from, to, custom_message: `Changed ${change} from ${from} to ${to}` };
}
