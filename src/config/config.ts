import type { Edition } from "../domain/edition.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { nearest } from "./nearest.ts";
import { allSettings, type DefaultedSetting, defaultOf, type Setting, settings, variableOf } from "./settings.ts";

/** Everything that a person can set, typed and checked (contract ground rules, "starting it"). */
export interface Config {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  /** Base of every URL in answers, without a trailing slash; undefined: the request's own origin. */
  readonly externalUrl: string | undefined;
  readonly edition: Edition;
  readonly logFormat: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Looked at on the first start only. */
  readonly rootToken: string | undefined;
  /** Looked at on the first start only. */
  readonly rootPassword: string | undefined;
}

/** Where the settings of one start come from. */
export interface ConfigSources {
  /** The verb that was asked for; names the command in cures. */
  readonly verb: string;
  /** Flag without dashes → its text, as far as given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flag without dashes → what stands in for the default of the table. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Whether a person watches the log. */
  readonly terminal: boolean;
}

/**
 * Flag before variable before default, each checked; an empty variable counts as unset.
 * Throws `StartError` (usage) for a value that does not fit and for an `OUTPOST_` variable that is no setting.
 */
export function resolveConfig(sources: ConfigSources): Config {
  refuseUnknownVariables(sources.environment);
  return {
    host: read(settings.host, sources),
    port: read(settings.port, sources),
    dataFolder: read(settings.data, sources),
    externalUrl: read(settings.externalUrl, sources),
    edition: read(settings.edition, sources),
    logFormat: read(settings.logFormat, sources) ?? (sources.terminal ? "text" : "json"),
    logLevel: read(settings.logLevel, sources),
    rootToken: read(settings.rootToken, sources),
    rootPassword: read(settings.rootPassword, sources),
  };
}

function refuseUnknownVariables(environment: ConfigSources["environment"]): void {
  const known = allSettings.map(variableOf);
  const isUnknown = (name: string) => name.startsWith("OUTPOST_") && environment[name] !== "" && !known.includes(name);
  const unknown = Object.keys(environment).sort().find(isUnknown);
  if (unknown === undefined) return;
  throw new StartError(`${unknown} is not a setting; the nearest is ${nearest(unknown, known)}`, "outpost help serve", {
    exitCode: exitCodes.usage,
  });
}

function read<T>(setting: DefaultedSetting<T>, sources: ConfigSources): T;
function read<T>(setting: Setting<T>, sources: ConfigSources): T | undefined;
function read<T>(setting: Setting<T>, sources: ConfigSources): T | undefined {
  const { verb, flags, environment, defaults } = sources;
  const flag = flags[setting.flag];
  if (flag !== undefined) {
    return check(setting, flag, `--${setting.flag}`, `outpost ${verb} --${setting.flag} ${setting.example}`);
  }
  const variable = variableOf(setting);
  const text = environment[variable];
  if (text !== undefined && text !== "") {
    return check(setting, text, variable, `${variable}=${setting.example} outpost ${verb}`);
  }
  const fallback = defaults?.[setting.flag] ?? defaultOf(setting);
  return fallback === undefined ? undefined : check(setting, fallback, `the default of --${setting.flag}`, "");
}

function check<T>(setting: Setting<T>, text: string, name: string, cure: string): T {
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const found = setting.secret ? `a text of ${[...text].length} characters` : JSON.stringify(text);
  throw new StartError(`${name} is ${found}; expected ${setting.expected}`, cure, { exitCode: exitCodes.usage });
}
