import type { Edition } from "../domain/edition.ts";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import type { TrustedProxies } from "../domain/trusted-proxies.ts";
import { nearest } from "../lib/text/nearest.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { refuseContradictions, refuseTogether } from "./contradictions.ts";
import { type DefaultedSetting, defaultOf, type Setting, variableOf } from "./setting.ts";
import { allSettings, settings } from "./settings.ts";

/** Everything that a person can set, typed and checked (contract ground rules, "starting it"). */
export interface Config {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Absolute path of a socket file that stands in for host and port. */
  readonly socket: string | undefined;
  /** Absolute paths of PEM files, both or neither. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** HTTPS with a certificate of the server's own making. */
  readonly tlsSelfSigned: boolean;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  /** Base of every URL in answers, without a trailing slash; undefined: the request's own origin. */
  readonly externalUrl: string | undefined;
  /** undefined: the server believes no proxy. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** Connections of one IPv4 address or IPv6 /64; 0: a share of what the process may open. */
  readonly networkConnections: number;
  /** Whether processes of this machine may read the metrics without a token. */
  readonly metricsAccess: "local" | "administrators";
  /** Whether the server has pages for people. */
  readonly console: boolean;
  /** Whether the store is a sandbox, with calls that control it. */
  readonly sandbox: boolean;
  /** Whether the store is a new sandbox in memory, in place of one in a data folder. */
  readonly memory: boolean;
  /** All that is drawn in a sandbox follows from it; undefined: from nothing. */
  readonly rngSeed: number | undefined;
  /** Absolute path of a file with what a new sandbox has at its first start; undefined: nothing. */
  readonly fixture: string | undefined;
  /** Absolute path of the file that gets every request to a sandbox with its answer; undefined: none. */
  readonly record: string | undefined;
  /** Whether mails and calls to services of others leave the machine. */
  readonly outgoing: "send" | "sink";
  readonly edition: Edition;
  /** Has at least one element. */
  readonly repositoryStorages: readonly RepositoryStorage[];
  /** Time that a move stays in `scheduled`, and again in `started`. */
  readonly storageMoveDelayMs: number;
  /** Absolute path of a folder with definitions of feature flags, beside those that the server ships. */
  readonly featureDefinitions: string | undefined;
  readonly logFormat: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Holds a password; undefined: no mail leaves the machine. */
  readonly smtpUrl: string | undefined;
  /** Lower-case words; undefined: no word makes a text spam. */
  readonly spamKeywords: readonly string[] | undefined;
  /** The spam-check service; called only if the settings of the instance say so. */
  readonly akismetUrl: string;
  /** Turns CAPTCHAs on at the start, together with `recaptchaPrivateKey`. */
  readonly recaptchaSiteKey: string | undefined;
  readonly recaptchaPrivateKey: string | undefined;
  /** Asked about each CAPTCHA that was solved. */
  readonly recaptchaVerifyUrl: string;
  /** Looked at on the first start only. */
  readonly rootToken: string | undefined;
  /** Looked at on the first start only. */
  readonly rootPassword: string | undefined;
  /** Requests with alerts that a project takes in one period; 0: as many as come. */
  readonly alertRateLimit: number;
  /** Seconds. */
  readonly alertRatePeriod: number;
  /** Mebibytes of repositories, packages, images and artifacts of one project, and of all; 0: as many as come. */
  readonly projectQuotaMb: number;
  readonly totalQuotaMb: number;
  /** Percent of the disk: with less free space, only small writes are taken. */
  readonly minFreeSpace: number;
  readonly minFreeMemory: number;
  readonly gitMaxObjects: number;
  readonly gitMaxObjectMb: number;
  readonly userWriteQuotaMb: number;
  /** Jobs of pipelines seem to run, for demos. */
  readonly demoRunner: boolean;
  /** A cron pattern in UTC; undefined: no backups are made by the clock. */
  readonly backupSchedule: string | undefined;
  /** Absolute path. */
  readonly backupFolder: string;
  /** The number of scheduled backups to keep. */
  readonly backupKeep: number;
  /** Flags without dashes → the source of the value, where it is no default. */
  readonly origins: Readonly<Record<string, Origin>>;
}

/** The settings of a client of a server. */
export interface ClientConfig {
  /** Without a trailing slash, or `unix:PATH`; undefined: `OUTPOST_PORT` is 0, so the address is unknown. */
  readonly url: string | undefined;
  /** Origin of `url`: its own setting, the settings of a server (host, port and so on), or only their defaults. */
  readonly urlFrom: "url" | "server" | "default";
  readonly token: string | undefined;
  /** Path of the certificate that has to be trusted. */
  readonly cacert: string | undefined;
}

/** What decided the value of a setting. */
export type Origin = "flag" | "variable" | "default";

/** The sources of the settings of one start. */
export interface ConfigSources {
  /** The name of the command, for hints. */
  readonly command: string;
  /** Flag without dashes → its text, as far as given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Flag without dashes → what stands in for the default of the table. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Whether a person watches the log. */
  readonly terminal: boolean;
}

/** Whether clients connect with TLS. */
export function hasTls({ tlsCert, tlsSelfSigned }: Pick<Config, "tlsCert" | "tlsSelfSigned">): boolean {
  return tlsCert !== undefined || tlsSelfSigned;
}

/**
 * Flag before variable before default, each checked; an empty variable counts as unset.
 * Throws `StartError` (usage) for a value that does not fit, values that do not go together, and an `OUTPOST_` variable
 * that is no setting.
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

/** Whether a flag or a variable sets it. */
function isSet(setting: Setting<unknown>, sources: ConfigSources): boolean {
  return (locate(setting, sources)?.from ?? "default") !== "default";
}

/** The address of a server that is started with the same settings. */
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

/** The text of a setting, and how to speak of it when it does not fit. */
interface Located {
  readonly text: string;
  readonly from: Origin;
  readonly name: string;
  readonly hint: string;
}

function locate(setting: Setting<unknown>, sources: ConfigSources): Located | undefined {
  const { command, flags, environment, defaults } = sources;
  const { flag } = setting;
  // An example in `$(...)` is not quoted: the shell replaces it by the output of its command.
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
