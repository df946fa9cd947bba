import { invalid, notFound } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { clientKeys, type ErrorTrackingSettingRecord, errorTrackingSettings } from "./records.ts";
import { insertClientKey } from "./service-client-keys.ts";

type Choice = Omit<ErrorTrackingSettingRecord, "id">;

/** Throws 404 for a project that has no setting yet. */
export function getSetting(store: Store, { id }: ProjectRecord): ErrorTrackingSettingRecord {
  const setting = store.of(errorTrackingSettings).get(id);
  if (setting === undefined) throw notFound("Error Tracking Setting");
  return setting;
}

/** `PUT …/settings`: made or replaced. Throws 400 for tracking by another server, which cannot be configured here. */
export function replaceSetting(context: Context, project: ProjectRecord, choice: Choice): ErrorTrackingSettingRecord {
  const { store } = context;
  if (choice.active && !choice.integrated) {
    throw invalid(
      "400 Bad request - Error tracking cannot be active without integrated: no other backend is configured",
    );
  }
  return store.transact((tx) => {
    const setting = { id: project.id, active: choice.active, integrated: choice.integrated };
    const isNew = store.of(errorTrackingSettings).get(project.id) === undefined;
    const saved = isNew ? tx.insert(errorTrackingSettings, setting) : tx.update(errorTrackingSettings, setting);
    const lacksKey = store.of(clientKeys).by.active_in.find(project.id).size === 0;
    if (isCollecting(saved) && lacksKey) insertClientKey(tx, context, project);
    return saved;
  });
}

/** `PATCH …/settings`. Throws 404 where there is nothing to switch, and what `replaceSetting` throws. */
export function updateSetting(
  context: Context,
  project: ProjectRecord,
  { active, integrated }: { readonly active: boolean; readonly integrated?: boolean },
): ErrorTrackingSettingRecord {
  const before = getSetting(context.store, project);
  return replaceSetting(context, project, { active, integrated: integrated ?? before.integrated });
}

/** Whether the collector takes events. */
export function isCollecting(setting: ErrorTrackingSettingRecord | undefined): boolean {
  return setting?.active === true && setting.integrated;
}
