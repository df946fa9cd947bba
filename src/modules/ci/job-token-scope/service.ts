import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { levelIn } from "../../core/access/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectEvents, projectPathOf } from "../../core/namespaces/index.ts";
import { mergeSettings } from "../../groups-and-projects/projects/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";

/** The words of job-token-scope 4. */
export function refused(reason: string) {
  return invalid(`400 Bad request - ${reason}`);
}

/** Checks the level for operations that look for their target first. Throws 403. */
export function requireProjectReader(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (levelIn(context, caller, { project }) >= accessLevels.maintainer) return;
  throw forbidden("Insufficient permissions to modify the job token scope");
}

/** `PATCH …/job_token_scope`: what is so already stays as it is. */
export function updateInboundLimit(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  enabled: boolean,
): void {
  if (projectSettingOf(project, "inbound_job_token_scope_enabled") === enabled) return;
  const { store, clock } = context;
  store.transact((tx) => {
    const settings = mergeSettings(project.settings, { inbound_job_token_scope_enabled: enabled });
    updateRecord(tx, context, caller, projectEvents, { ...project, settings, updated_at: toDateTime(clock.now()) });
    const path = projectPathOf(store, project);
    recordAuditEvent(tx, context, caller, {
      event: enabled ? "secure_ci_job_token_inbound_enabled" : "secure_ci_job_token_inbound_disabled",
      entity: { type: "Project", id: project.id, path },
      target: { type: "Project", id: project.id, details: path },
      act: { custom_message: `Secure ci_job_token was ${enabled ? "enabled" : "disabled"} for inbound` },
    });
  });
}
