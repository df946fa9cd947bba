import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../domain/caller.ts";
import { invalid } from "../../domain/failure.ts";
import type { Repositories } from "../../repositories/index.ts";
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

/** As they are shown: weights of every storage, whether they were ever set or not. */
export function shownSettings(context: Context): ApplicationSettings {
  return { ...settingsOf(context.store), repository_storages_weighted: weightsOf(context) };
}

/**
 * The weight of every storage, in their order (storage-moves 1): until somebody sets them the first has all of it, and then
 * those that were not named have none.
 */
export function weightsOf({ store, repositories }: Context): Readonly<Record<string, number>> {
  const [first = ""] = repositories.storageNames;
  const set = store.of(applicationSettings).get(1)?.values.repository_storages_weighted;
  return withAll(repositories, set ?? { [first]: 100 });
}

function withAll({ storageNames }: Repositories, weights: Readonly<Record<string, number>>) {
  return Object.fromEntries(storageNames.map((name) => [name, weights[name] ?? 0]));
}

/** Throws 400 for a storage that is not there, and for a weight that is none. */
function checkWeights({ repositories }: Context, weights: Readonly<Record<string, number>> | undefined): void {
  const problems = Object.entries(weights ?? {}).flatMap(([name, weight]) => {
    if (!repositories.storageNames.includes(name)) return [`can't include: ${name}`];
    return weight < 0 || weight > 100 ? [`value for '${name}' must be between 0 and 100`] : [];
  });
  if (problems.length > 0) throw invalid({ repository_storages_weighted: problems });
}

/** `PUT /application/settings`: one audit event for each setting whose value changes (audit-events 5). */
export function changeSettings(
  context: Context,
  caller: SignedInCaller,
  changes: Static<typeof ChangeApplicationSettings>,
): ApplicationSettings {
  const { store } = context;
  checkWeights(context, changes.repository_storages_weighted);
  const { rate_limiting_response_text: answer, repository_storages_weighted: weights, ...others } = changes;
  const given: Partial<ApplicationSettings> = {
    ...others,
    ...(answer === undefined ? {} : { rate_limiting_response_text: answer ?? "" }),
    ...(weights === undefined ? {} : { repository_storages_weighted: withAll(context.repositories, weights) }),
  };
  const before = shownSettings(context);
  const names = (Object.keys(initialSettings) as (keyof ApplicationSettings)[]).filter(
    (name) => given[name] !== undefined && !Bun.deepEquals(given[name], before[name]),
  );
  if (names.length === 0) return before;
  store.transact((tx) => {
    const record = store.of(applicationSettings).get(1);
    const values = { ...record?.values, ...Object.fromEntries(names.map((name) => [name, given[name]])) };
    if (record === undefined) tx.insert(applicationSettings, { id: 1, values });
    else tx.update(applicationSettings, { id: 1, values });
    for (const name of names) {
      const [from, to] = [textOf(before[name]), textOf(given[name])];
      recordAuditEvent(tx, context, caller, {
        event: "application_setting_updated",
        entity: { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" },
        target: { type: "ApplicationSetting", id: 1, details: name },
        act: { change: name, from, to, custom_message: `Changed ${name} from ${from} to ${to}` },
      });
    }
  });
  return shownSettings(context);
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
