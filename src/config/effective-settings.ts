import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { describeTrustedProxies } from "../domain/trusted-proxies.ts";
import { type Config, type ConfigSources, type Origin, resolveClient, resolveConfig } from "./config.ts";
import type { Setting } from "./setting.ts";
import { settings, settingsOfServer } from "./settings.ts";

/** The value of a setting, and its source. */
export interface EffectiveSetting {
  readonly setting: Setting<unknown>;
  /** undefined when the setting is unset and has no default. */
  readonly value: string | number | boolean | undefined;
  readonly from: Origin;
}

type Values = Readonly<Record<keyof typeof settings, EffectiveSetting["value"]>>;
type ValuesOfServer = Omit<Values, "url" | "token" | "cacert">;

/** Returns every setting with its value, checked as for a start. Throws the errors of `resolveConfig`. */
export function explainConfig(sources: ConfigSources): readonly EffectiveSetting[] {
  const config = resolveConfig(sources);
  const { url, token, cacert } = resolveClient(sources);
  return withOrigins({ ...valuesOf(config), url, token, cacert }, config);
}

/** Returns the settings of a server with their values. */
export function settingsInUse(config: Config): readonly EffectiveSetting[] {
  const all = withOrigins({ ...valuesOf(config), url: undefined, token: undefined, cacert: undefined }, config);
  return all.filter(({ setting }) => settingsOfServer.includes(setting));
}

function withOrigins(values: Values, { origins }: Config): readonly EffectiveSetting[] {
  return Object.entries(settings).map(([name, setting]) => ({
    setting,
    value: values[name as keyof typeof settings],
    from: origins[setting.flag] ?? "default",
  }));
}

function valuesOf(config: Config): ValuesOfServer {
  const { dataFolder, repositoryStorages, spamKeywords, trustedProxies, origins: _, ...server } = config;
  return {
    ...server,
    data: dataFolder,
    repositoryStorages: repositoryStorages.map(storageText).join(","),
    spamKeywords: spamKeywords?.join(","),
    trustedProxies: trustedProxies === undefined ? undefined : describeTrustedProxies(trustedProxies),
  };
}

function storageText({ name, folder }: RepositoryStorage): string {
  return folder === undefined ? name : `${name}=${folder}`;
}
