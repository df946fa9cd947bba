import type { Static } from "@sinclair/typebox";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { type AttributeErrors, invalid } from "../../../domain/failure.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import type { Repositories } from "../../../git/index.ts";
import { withoutUserinfo } from "../../../lib/web-address.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type AuditEntry, recordAuditEvent } from "../audit-events/index.ts";
import { formsOfRequest } from "./branch-protection.ts";
import { type ApplicationSettingsRecord, applicationSettings } from "./records.ts";
import { type ApplicationSettings, type ChangeApplicationSettings, initialSettings, secretSettings } from "./schema.ts";

/** All settings, and the record that they were made from. */
interface MergedSettings {
  record: ApplicationSettingsRecord | undefined;
  settings: ApplicationSettings;
}

export const MergedSettings = serviceKey<MergedSettings>("merged-settings", (context) => ({
  record: undefined,
  settings: initialSettingsOf(context),
}));

/** The receivers of a sandbox are on the machine of who tries it. */
function initialSettingsOf({ sandbox }: Context): ApplicationSettings {
  return { ...initialSettings, allow_local_requests_from_web_hooks_and_services: sandbox !== undefined };
}

/** All settings as they are now. Read by every request, so it costs a look-up. */
export function settingsOf(context: Context): ApplicationSettings {
  const merged = context.get(MergedSettings);
  const record = context.store.of(applicationSettings).get(1);
  if (merged.record !== record) {
    merged.record = record;
    merged.settings = { ...initialSettingsOf(context), ...record?.values };
  }
  return merged.settings;
}

/** Returns the settings that the API shows: weights of every storage, whether they were ever set or not. */
export function shownSettings(context: Context): ApplicationSettings {
  return { ...settingsOf(context), repository_storages_weighted: weightsOf(context) };
}

/**
 * The sentence that refuses a visibility to the caller; undefined where it may be given. Administrators give every one of
 * them.
 */
export function restriction(context: Context, { user }: Caller, visibility: Visibility): string | undefined {
  if (user?.is_admin === true || !settingsOf(context).restricted_visibility_levels.includes(visibility))
    return undefined;
  return `${visibility} has been restricted by your GitLab administrator`;
}

/**
 * The weight of every storage, in their order (storage-moves 1): until they are set the first has all of it, and then
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
function requireValidWeights({ repositories }: Context, weights: Readonly<Record<string, number>> | undefined): void {
  const problems = Object.entries(weights ?? {}).flatMap(([name, weight]) => {
    if (!repositories.storageNames.includes(name)) return [`can't include: ${name}`];
    return weight < 0 || weight > 100 ? [`value for '${name}' must be between 0 and 100`] : [];
  });
  if (problems.length > 0) throw invalid({ repository_storages_weighted: problems });
}

/**
 * `PUT /application/settings`: one audit event for each setting whose value changes (audit-events 5). Throws 400 for a
 * service that is on without its keys.
 */
export function updateSettings(
  context: Context,
  caller: SignedInCaller,
  changes: Static<typeof ChangeApplicationSettings>,
): ApplicationSettings {
  const { store } = context;
  requireValidWeights(context, changes.repository_storages_weighted);
  const { rate_limiting_response_text: answer, repository_storages_weighted: weights, ...others } = changes;
  const { spam_check_endpoint_url: endpoint } = changes;
  const given: Partial<ApplicationSettings> = {
    ...others,
    ...formsOfRequest(changes),
    // The audit event shows the URL, and requests to it do not send its user name and password.
    ...(endpoint ? { spam_check_endpoint_url: withoutUserinfo(endpoint) } : {}),
    ...(answer === undefined ? {} : { rate_limiting_response_text: answer ?? "" }),
    ...(weights === undefined ? {} : { repository_storages_weighted: withAll(context.repositories, weights) }),
  };
  const before = shownSettings(context);
  const names = (Object.keys(initialSettings) as (keyof ApplicationSettings)[]).filter(
    (name) => given[name] !== undefined && !Bun.deepEquals(given[name], before[name]),
  );
  if (names.length === 0) return before;
  requireRecaptchaKeys({ ...before, ...given });
  store.transact((tx) => {
    writeSettings(tx, store, Object.fromEntries(names.map((name) => [name, given[name]])));
    for (const name of names) {
      recordAuditEvent(tx, context, caller, {
        event: "application_setting_updated",
        entity: { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" },
        target: { type: "ApplicationSetting", id: 1, details: name },
        act: actOf(name, before[name], given[name]),
      });
    }
  });
  return shownSettings(context);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Turns CAPTCHAs on if both keys are configured, as if an administrator had just saved them (spam-and-captcha,
 * "Verdict"). None did, so there is no audit event.
 */
export function updateRecaptchaKeys(context: Context): void {
  const { recaptchaKeys: given } = context.spamServices;
  if (given === undefined) return;
  const keys = { recaptcha_enabled: true, recaptcha_site_key: given.site, recaptcha_private_key: given.private };
  if (Bun.deepEquals({ ...settingsOf(context), ...keys }, settingsOf(context))) return;
  context.store.transact((tx) => writeSettings(tx, context.store, keys));
}

function writeSettings(tx: Transaction, store: Store, changes: Partial<ApplicationSettings>): void {
  const record = store.of(applicationSettings).get(1);
  const values = { ...record?.values, ...changes };
  if (record === undefined) tx.insert(applicationSettings, { id: 1, values });
  else tx.update(applicationSettings, { id: 1, values });
}

type ServiceKey = "akismet_api_key" | "recaptcha_site_key" | "recaptcha_private_key";

function requireRecaptchaKeys(
  settings: Pick<ApplicationSettings, ServiceKey | "akismet_enabled" | "recaptcha_enabled">,
): void {
  const needed: ServiceKey[] = [
    ...(settings.akismet_enabled ? (["akismet_api_key"] as const) : []),
    ...(settings.recaptcha_enabled ? (["recaptcha_site_key", "recaptcha_private_key"] as const) : []),
  ];
  const missing = needed.filter((name) => (settings[name] ?? "").trim() === "");
  if (missing.length === 0) return;
  throw invalid(Object.fromEntries(missing.map((name) => [name, ["can't be blank"]])) satisfies AttributeErrors);
}

function actOf(name: string, before: unknown, after: unknown): AuditEntry["act"] {
  if (secretSettings.some((secret) => secret === name)) return { change: name, custom_message: `Changed ${name}` };
  const [from, to] = [textOf(before), textOf(after)];
  return { change: name, from, to, custom_message: `Changed ${name} from ${from} to ${to}` };
}
