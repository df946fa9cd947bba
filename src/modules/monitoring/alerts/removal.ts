import type { SignedInCaller } from "../../../domain/caller.ts";
import { refuseModified } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { ProjectRemoval } from "../../kernel/project-hooks.ts";
import { getIntegration } from "./integrations/integrations.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";

/** `DELETE …/:integration_id` (alerts B): its alerts stay. Throws 404, 412. */
export function removeIntegration(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  id: number,
  unmodifiedSince: DateTime | undefined,
): void {
  context.store.transact((tx) => {
    caller.confirm?.();
    const integration = getIntegration(context, project, id);
    refuseModified(integration, unmodifiedSince);
    tx.remove(alertIntegrations, integration.id);
  });
}

/** Alerts, integrations and settings go with their project. */
export const alertRemoval: ProjectRemoval = {
  phase: 1,
  remove(tx, { store }, { id }, limit) {
    const ids = firstOf(store.of(alerts).by.project_id.find(id) ?? [], limit);
    for (const alert of ids) {
      tx.remove(alerts, alert);
      tx.remove(alertPayloads, alert);
    }
    const others = firstOf(store.of(alertIntegrations).by.project_id.find(id), limit - ids.length);
    for (const integration of others) tx.remove(alertIntegrations, integration);
    const taken = ids.length + others.length;
    if (taken < limit) removeSettings(tx, store, id);
    return taken;
  },
};

function removeSettings(tx: Transaction, store: Context["store"], projectId: number): void {
  if (store.of(alertSettings).get(projectId) !== undefined) tx.remove(alertSettings, projectId);
}

function firstOf(ids: Iterable<number>, count: number): number[] {
  const first: number[] = [];
  for (const id of ids) {
    if (first.length >= count) break;
    first.push(id);
  }
  return first;
}
