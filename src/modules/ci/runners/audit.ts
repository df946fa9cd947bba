/** The audit events about runners. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { type AuditEntry, recordAuditEvent } from "../../core/audit-events/index.ts";
import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { RunnerRecord } from "./records.ts";

const verbs = {
  ci_runner_created: "Created",
  ci_runner_registered: "Registered",
  ci_runner_unregistered: "Unregistered",
  ci_runner_token_reset: "Reset the token of",
} as const;

const nouns = { instance_type: "instance", group_type: "group", project_type: "project" } as const;

/** audit-events 4, "runner made, …": about the instance, or the group or project that the runner was made for. */
export function recordRunnerEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  runner: RunnerRecord,
  event: keyof typeof verbs,
): void {
  recordAuditEvent(tx, context, caller, {
    event,
    entity: entityOf(context, runner),
    target: { type: "Ci::Runner", id: runner.id, details: runner.description ?? `#${runner.id}` },
    act: { custom_message: `${verbs[event]} ${nouns[runner.runner_type]} CI runner` },
  });
}

/** The same, of the token that runners are registered with. */
export function recordRegistrationReset(
  tx: Transaction,
  context: Context,
  caller: Caller,
  place: Pick<RunnerRecord, "runner_type" | "group_id" | "project_ids">,
): void {
  const entity = entityOf(context, place);
  recordAuditEvent(tx, context, caller, {
    event: "ci_runner_token_reset",
    entity,
    target: { type: entity.type, id: entity.id, details: entity.path },
    act: { custom_message: `Reset the registration token of ${nouns[place.runner_type]} CI runners` },
  });
}

function entityOf(
  { store }: Context,
  { group_id, project_ids: [projectId] }: Pick<RunnerRecord, "group_id" | "project_ids">,
): AuditEntry["entity"] {
  if (group_id !== null) return { type: "Group", id: group_id, path: fullPathOf(store, group_id) };
  const project = projectId === undefined ? undefined : store.of(projects).get(projectId);
  return project === undefined
    ? { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" }
    : { type: "Project", id: project.id, path: projectPathOf(store, project) };
}
