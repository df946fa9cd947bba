/** The audit events about rules for branches (audit-events 4). */

import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { ProtectedBranchRecord } from "./records.ts";

const acts = {
  protected_branch_created: { add: "protected_branch", custom_message: "Added protected branch" },
  protected_branch_updated: { change: "protected_branch", custom_message: "Changed protected branch" },
  protected_branch_removed: { remove: "protected_branch", custom_message: "Unprotected branch" },
} as const;

export function recordRuleEvent(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { id, name }: ProtectedBranchRecord,
  event: keyof typeof acts,
): void {
  recordAuditEvent(tx, context, caller, {
    event,
    entity: { type: "Project", id: project.id, path: projectPathOf(context.store, project) },
    target: { type: "ProtectedBranch", id, details: name },
    act: acts[event],
  });
}
