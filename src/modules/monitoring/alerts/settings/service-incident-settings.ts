import type { Static } from "@sinclair/typebox";
import { includesTier } from "../../../../domain/edition.ts";
import { forbidden } from "../../../../domain/failure.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { ChangeIncidentSettings } from "../schema.ts";
import { alertSettingsOf, upsertAlertSettings } from "./service.ts";

/** alerts D. */
export function incidentSettingsOf(context: Context, project: ProjectRecord) {
  const { create_issue, auto_close_incident, send_email, issue_template_key } = alertSettingsOf(context, project);
  return { create_issue, auto_close_incident, send_email, issue_template_key };
}

/** Throws 403 for incidents of each new alert in an edition that has none. */
export function updateIncidentSettings(
  context: Context,
  project: ProjectRecord,
  { id: _project, ...changed }: Static<typeof ChangeIncidentSettings>,
) {
  if (changed.create_issue === true && !includesTier(context.edition, "ultimate")) throw forbidden();
  return context.store.transact((tx) => {
    upsertAlertSettings(tx, context, project, changed);
    return incidentSettingsOf(context, project);
  });
}
