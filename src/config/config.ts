import type { Edition } from "../domain/edition.ts";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import type { TrustedProxies } from "../domain/trusted-proxies.ts";
import { nearest } from "../lib/text/nearest.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { refuseContradictions, refuseTogether } from "./contradictions.ts";
import { type DefaultedSetting, defaultOf, type Setting, variableOf } from "./setting.ts";
import { allSettings, settings } from "./settings.ts";

/** The checked settings of a server (contract ground rules, "starting it"). */
export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The absolute path of a socket file, used instead of host and port. */
  readonly socket: string | undefined;
  /** Absolute paths of PEM files: both or neither. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** True when the server makes its own certificate for HTTPS. */
  readonly tlsSelfSigned: boolean;
  /** The absolute path of the data folder. */
  readonly dataFolder: string;
  /** The base of every URL in answers, without a trailing slash; undefined means the request's own origin. */
  readonly externalUrl: string | undefined;
  /** undefined means that the server trusts no proxy. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** The most connections of one IPv4 address or IPv6 /64; 0 means a share of the open-file limit. */
  readonly networkConnections: number;
  /** True when processes of this machine may read the metrics without a token. */
  readonly metricsAccess: "local" | "administrators";
  /** True when the server has the web console. */
  readonly console: boolean;
  /** True when the store is a sandbox, with operations that control it. */
  readonly sandbox: boolean;
  /** True when the store is a new sandbox in memory instead of in a data folder. */
  readonly memory: boolean;
  /** The seed of all random values in a sandbox; undefined means real randomness. */
  readonly rngSeed: number | undefined;
  /** The absolute path of a file with the initial content of a new sandbox; undefined for none. */
  readonly fixture: string | undefined;
  /** The absolute path of the file that records every request to a sandbox and its answer; undefined for none. */
  readonly record: string | undefined;
  /** `send`: the server sends mails and calls third-party services. `sink`: it only records them. */
  readonly outgoing: "send" | "sink";
  readonly edition: Edition;
  /** Has at least one element. */
  readonly repositoryStorages: readonly RepositoryStorage[];
  /** The time that a move stays in `scheduled`, and then in `started`. */
  readonly storageMoveDelayMs: number;
  /** The absolute path of a folder with more definitions of feature flags; undefined for none. */
  readonly featureDefinitions: string | undefined;
  readonly logFormat: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Has a password. undefined means that the server sends no mail. */
  readonly smtpUrl: string | undefined;
  /** Words that make a text spam, in lower case; undefined for none. */
  readonly spamKeywords: readonly string[] | undefined;
  /** The address of the spam-check service. The server calls it only if the settings of the instance say so. */
  readonly akismetUrl: string;
  /** Enables CAPTCHAs at the start, together with `recaptchaPrivateKey`. */
  readonly recaptchaSiteKey: string | undefined;
  readonly recaptchaPrivateKey: string | undefined;
  /** The address that verifies each solved CAPTCHA. */
  readonly recaptchaVerifyUrl: string;
  /** Used at the first start only. */
  readonly rootToken: string | undefined;
  /** Used at the first start only. */
  readonly rootPassword: string | undefined;
  /** The most requests with alerts per project and period; 0 means unlimited. */
  readonly alertRateLimit: number;
  /** Seconds. */
  readonly alertRatePeriod: number;
  /** The most mebibytes of repositories, packages, images and artifacts of one project, and of all; 0 means unlimited. */
  readonly projectQuotaMb: number;
  readonly totalQuotaMb: number;
  /** The percentage of free disk space below which the server accepts only small writes. */
  readonly minFreeSpace: number;
  readonly minFreeMemory: number;
  readonly gitMaxObjects: number;
  readonly gitMaxObjectMb: number;
  readonly userWriteQuotaMb: number;
  /** True when the server simulates pipeline jobs, for demos. */
  readonly demoRunner: boolean;
  /** A cron pattern in UTC; undefined for no scheduled backups. */
  readonly backupSchedule: string | undefined;
  /** An absolute path. */
  readonly backupFolder: string;
  /** The number of scheduled backups to keep. */
  readonly backupKeep: number;
  /** The source of each value that is no default, by flag without dashes. */
  readonly origins: Readonly<Record<string, Origin>>;
}

/** The settings of a client of a server. */
export interface ClientConfig {
  /** Has no trailing slash, or is `unix:PATH`. undefined means unknown, since `OUTPOST_PORT` is 0. */
  readonly url: string | undefined;
  /** The source of `url`: its own setting, the settings of a server (host, port and so on), or only their defaults. */
  readonly urlFrom: "url" | "server" | "default";
  readonly token: string | undefined;
  /** The path of the certificate to trust. */
  readonly cacert: string | undefined;
}

/** The source of a setting's value. */
export type Origin = "flag" | "variable" | "default";

/** The sources of the settings of one start. */
export interface ConfigSources {
  /** The command's name, for hints. */
  readonly command: string;
  /** The given flags, without dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values that replace the defaults of the table, by flag without dashes. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** True when a person reads the log. */
  readonly terminal: boolean;
}

/** True when clients connect with TLS. */
export function hasTls({ tlsCert, tlsSelfSigned }: Pick<Config, "tlsCert" | "tlsSelfSigned">): boolean {
  return tlsCert !== undefined || tlsSelfSigned;
}

/**
 * Resolves and checks every setting: a flag wins over a variable, and a variable over the default. An empty variable counts
 * as unset. Throws `StartError` (usage) for an invalid value, contradicting settings, and an unknown `OUTPOST_` variable.
 */
export function resolveConfig(sources: ConfigSources): Config {
  refuseUnknownVariables(sources.environment);
  const config: Config = {
    host: read(settings.host, sources),
    port: read(settings.port, sources),
    socket: read(settings.socket, sources),
    tlsCert: read(settings.tlsCert, sources),
    tlsKey: read(settings.tlsKey, sources),
    tlsSelfSigned: read(settings.tlsSelfSigned, sources),
    dataFolder: read(settings.data, sources),
    externalUrl: read(settings.externalUrl, sources),
    trustedProxies: read(settings.trustedProxies, sources),
    networkConnections: read(settings.networkConnections, sources),
    metricsAccess: read(settings.metricsAccess, sources),
    console: read(settings.console, sources),
    sandbox: read(settings.sandbox, sources) || read(settings.memory, sources),
    memory: read(settings.memory, sources),
    rngSeed: read(settings.rngSeed, sources),
    fixture: read(settings.fixture, sources),
    record: read(settings.record, sources),
    outgoing: read(settings.outgoing, sources),
    edition: read(settings.edition, sources),
    repositoryStorages: read(settings.repositoryStorages, sources),
    storageMoveDelayMs: read(settings.storageMoveDelayMs, sources),
    featureDefinitions: read(settings.featureDefinitions, sources),
    logFormat: read(settings.logFormat, sources) ?? (sources.terminal ? "text" : "json"),
    logLevel: read(settings.logLevel, sources),
    smtpUrl: read(settings.smtpUrl, sources),
    spamKeywords: read(settings.spamKeywords, sources),
    akismetUrl: read(settings.akismetUrl, sources),
    recaptchaSiteKey: read(settings.recaptchaSiteKey, sources),
    recaptchaPrivateKey: read(settings.recaptchaPrivateKey, sources),
    recaptchaVerifyUrl: read(settings.recaptchaVerifyUrl, sources),
    rootToken: read(settings.rootToken, sources),
    rootPassword: read(settings.rootPassword, sources),
    alertRateLimit: read(settings.alertRateLimit, sources),
    alertRatePeriod: read(settings.alertRatePeriod, sources),
    projectQuotaMb: read(settings.projectQuotaMb, sources),
    totalQuotaMb: read(settings.totalQuotaMb, sources),
    minFreeSpace: read(settings.minFreeSpace, sources),
    minFreeMemory: read(settings.minFreeMemory, sources),
    gitMaxObjects: read(settings.gitMaxObjects, sources),
    gitMaxObjectMb: read(settings.gitMaxObjectMb, sources),
    userWriteQuotaMb: read(settings.userWriteQuotaMb, sources),
    demoRunner: read(settings.demoRunner, sources),
    backupSchedule: read(settings.backupSchedule, sources),
    backupFolder: read(settings.backupFolder, sources) ?? `${read(settings.data, sources)}/backups`,
    backupKeep: read(settings.backupKeep, sources),
    origins: originsOf(sources),
  };
  refuseContradictions(config, sources.command);
  if (config.memory && isSet(settings.data, sources)) refuseTogether("--memory", "--data", sources.command);
  return config;
}

/** Does what `resolveConfig` does, for clients of a running server. */
export function resolveClient(sources: ConfigSources): ClientConfig {
  refuseUnknownVariables(sources.environment);
  const named = read(settings.url, sources);
  return {
    url: named ?? ownUrl(sources),
    urlFrom: named !== undefined ? "url" : isServerChosen(sources) ? "server" : "default",
    token: read(settings.token, sources),
    cacert: read(settings.cacert, sources),
  };
}

function isServerChosen(sources: ConfigSources): boolean {
  const listening = [settings.host, settings.port, settings.socket, settings.tlsCert, settings.tlsSelfSigned];
  return listening.some((setting) => isSet(setting, sources));
}

function originsOf(sources: ConfigSources): Readonly<Record<string, Origin>> {
  const set = allSettings.filter((setting) => isSet(setting, sources));
  return Object.fromEntries(set.map((setting) => [setting.flag, locate(setting, sources)?.from ?? "default"]));
}

/** True when a flag or a variable sets the value. */
function isSet(setting: Setting<unknown>, sources: ConfigSources): boolean {
  return (locate(setting, sources)?.from ?? "default") !== "default";
}

/** Returns the address of a server that is started with the same settings. */
function ownUrl(sources: ConfigSources): string | undefined {
  const socket = read(settings.socket, sources);
  if (socket !== undefined) return `unix:${socket}`;
  const [host, port] = [read(settings.host, sources), read(settings.port, sources)];
  if (port === 0) return undefined;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const isSecure = read(settings.tlsCert, sources) !== undefined || read(settings.tlsSelfSigned, sources);
  return `${isSecure ? "https" : "http"}://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
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
  const found = locate(setting, sources);
  return found === undefined ? undefined : check(setting, found);
}

/** The text of a setting's value, and its description for errors. */
interface Located {
  readonly text: string;
  readonly from: Origin;
  readonly name: string;
  readonly hint: string;
}

function locate(setting: Setting<unknown>, sources: ConfigSources): Located | undefined {
  const { command, flags, environment, defaults } = sources;
  const { flag } = setting;
  // The example is not quoted, so that the shell runs its `$(...)`.
  const example = setting.example.startsWith("$(") ? setting.example : shellWord(setting.example);
  const given = flags[flag];
  if (given !== undefined) {
    return { text: given, from: "flag", name: `--${flag}`, hint: `outpost ${command} --${flag} ${example}` };
  }
  const variable = variableOf(setting);
  const text = environment[variable];
  if (text !== undefined && text !== "") {
    return { text, from: "variable", name: variable, hint: `${variable}=${example} outpost ${command}` };
  }
  const fallback = defaults?.[flag] ?? defaultOf(setting);
  if (fallback === undefined) return undefined;
  return { text: fallback, from: "default", name: `the default of --${flag}`, hint: "" };
}

function check<T>(setting: Setting<T>, { text, name, hint }: Located): T {
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const found = setting.secret ? `a text of ${[...text].length} characters` : JSON.stringify(text);
  throw new StartError(`${name} is ${found}; expected ${setting.expected}`, hint, { exitCode: exitCodes.usage });
}
