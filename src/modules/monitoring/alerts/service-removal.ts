import { requireUnmodified } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { projectRemoval } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { getIntegration } from "./integrations/service.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";

/** `DELETE …/:integration_id` (alerts B): its alerts stay. Throws 404, 412. */
export function deleteIntegration(
  context: Context,
  project: ProjectRecord,
  id: number,
  unmodifiedSince: DateTime | undefined,
): void {
  context.store.transact((tx) => {
    const integration = getIntegration(context, project, id);
    requireUnmodified(integration, unmodifiedSince);
    tx.remove(alertIntegrations, integration.id);
  });
}

/** Alerts, integrations and settings are deleted with their project. */
export const alertRemoval = projectRemoval({
  phase: 1,
  remove(tx, { store }, { id }, limit) {
    const alertIds = [...store.of(alerts).by.project_id.find(id)].slice(0, limit);
    removeFirst(tx, alertPayloads, alertIds);
    let left = limit - removeFirst(tx, alerts, alertIds);
    left -= removeFirst(tx, alertIntegrations, store.of(alertIntegrations).by.project_id.find(id), left);
    if (left > 0) removeSettings(tx, store, id);
    return limit - left;
  },
});

function removeSettings(tx: Transaction, store: Context["store"], projectId: number): void {
  if (store.of(alertSettings).get(projectId) !== undefined) tx.remove(alertSettings, projectId);
}
