import { includesTier } from "../../../../domain/edition.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type AlertSettingsRecord, alertSettings } from "../records.ts";

/** The alert settings of a project that has set none (alerts D). */
const initialSettings: Omit<AlertSettingsRecord, "id"> = {
  create_issue: false,
  auto_close_incident: true,
  send_email: false,
  issue_template_key: null,
  on_call: null,
};

/** Returns the settings in force: those that the edition does not have count as never set. */
export function alertSettingsOf({ store, edition }: Context, project: ProjectRecord): AlertSettingsRecord {
  const settings = store.of(alertSettings).get(project.id) ?? { id: project.id, ...initialSettings };
  return {
    ...settings,
    create_issue: settings.create_issue && includesTier(edition, "ultimate"),
    on_call: includesTier(edition, "premium") ? settings.on_call : null,
  };
}

export function upsertAlertSettings(
  tx: Transaction,
  { store }: Context,
  project: ProjectRecord,
  changed: Partial<AlertSettingsRecord>,
): void {
  const before = store.of(alertSettings).get(project.id);
  if (before !== undefined) tx.update(alertSettings, { ...before, ...changed });
  else tx.insert(alertSettings, { ...initialSettings, ...changed, id: project.id });
}

/** Whether another product takes the alerts: then no integration is active (alerts E). */
export function isOnCallActive(context: Context, project: ProjectRecord): boolean {
  return alertSettingsOf(context, project).on_call?.active === true;
}
