import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../domain/caller.ts";
import type { Store } from "../../store/index.ts";
import { recordAuditEvent } from "../audit-events/index.ts";
import type { Context } from "../context.ts";
import { type ApplicationSettingsRecord, applicationSettings } from "./collection.ts";
import { type ApplicationSettings, type ChangeApplicationSettings, initialSettings } from "./schema.ts";

const merged = new WeakMap<ApplicationSettingsRecord, ApplicationSettings>();

/** All settings as they are now. Read by every request, so it costs a look-up. */
export function settingsOf(store: Store): ApplicationSettings {
  const record = store.of(applicationSettings).get(1);
  if (record === undefined) return initialSettings;
  let settings = merged.get(record);
  if (settings === undefined) {
    settings = { ...initialSettings, ...record.values };
    merged.set(record, settings);
  }
  return settings;
}

/** `PUT /application/settings`: one audit event for each setting whose value changes (audit-events 5). */
export function changeSettings(
  context: Context,
  caller: SignedInCaller,
  changes: Static<typeof ChangeApplicationSettings>,
): ApplicationSettings {
  const { store } = context;
  const given = {
    ...changes,
    ...(changes.rate_limiting_response_text === null ? { rate_limiting_response_text: "" } : {}),
  };
  const before = settingsOf(store);
  const names = (Object.keys(initialSettings) as (keyof ApplicationSettings)[]).filter(
    (name) => given[name] !== undefined && given[name] !== before[name],
  );
  if (names.length === 0) return before;
  store.transact((tx) => {
    const record = store.of(applicationSettings).get(1);
    const values = { ...record?.values, ...Object.fromEntries(names.map((name) => [name, given[name]])) };
    if (record === undefined) tx.insert(applicationSettings, { id: 1, values });
    else tx.update(applicationSettings, { id: 1, values });
    for (const name of names) {
      const [from, to] = [String(before[name]), String(given[name])];
      recordAuditEvent(tx, context, caller, {
        event: "application_setting_updated",
        entity: { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" },
        target: { type: "ApplicationSetting", id: 1, details: name },
        act: { change: name, from, to, custom_message: `Changed ${name} from ${from} to ${to}` },
      });
    }
  });
  return settingsOf(store);
}
