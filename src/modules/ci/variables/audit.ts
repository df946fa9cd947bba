/** The audit events about CI variables (ci-variables 7). The value of a variable is in none. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { type AuditEntry, recordAuditEvent } from "../../core/audit-events/index.ts";
import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { CiVariableRecord } from "./records.ts";

const words = {
  project: { noun: "ci_variable", type: "Ci::Variable" },
  group: { noun: "ci_group_variable", type: "Ci::GroupVariable" },
  instance: { noun: "ci_instance_variable", type: "Ci::InstanceVariable" },
} as const;

/** The fields whose changes are recorded. */
const audited = ["protected", "masked", "value", "environment_scope", "raw", "variable_type"] as const;

export function recordVariableCreated(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  variable: CiVariableRecord,
): void {
  recordAct(tx, context, caller, variable, "created", { add: words[variable.source_type].noun });
}

export function recordVariableDeleted(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  variable: CiVariableRecord,
): void {
  recordAct(tx, context, caller, variable, "deleted", { remove: words[variable.source_type].noun });
}

/** One event for each changed field. */
export function recordVariableUpdated(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: CiVariableRecord,
  after: CiVariableRecord,
): void {
  for (const field of audited) {
    if (before[field] === after[field]) continue;
    const [from, to] = [String(before[field]), String(after[field])];
    const told = field === "value" ? {} : { from, to, custom_message: `Changed ${field} from ${from} to ${to}` };
    recordAct(tx, context, caller, after, "updated", { change: field, ...told });
  }
}

function recordAct(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  variable: CiVariableRecord,
  verb: "created" | "updated" | "deleted",
  act: AuditEntry["act"],
): void {
  const { noun, type } = words[variable.source_type];
  recordAuditEvent(tx, context, caller, {
    event: `${noun}_${verb}`,
    entity: entityOf(context, variable),
    target: { type, id: variable.id, details: variable.key },
    act,
  });
}

function entityOf({ store }: Context, { source_type, source_id }: CiVariableRecord): AuditEntry["entity"] {
  if (source_type === "instance") return { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" };
  if (source_type === "group") return { type: "Group", id: source_id, path: fullPathOf(store, source_id) };
  const project = store.of(projects).get(source_id);
  return { type: "Project", id: source_id, path: project === undefined ? "" : projectPathOf(store, project) };
}
