import { editions } from "../domain/edition.ts";
import {
  externalUrl,
  host,
  metricsAccess,
  networkConnections,
  port,
  socket,
  tlsCert,
  tlsKey,
  tlsSelfSigned,
  trustedProxies,
} from "./listening-settings.ts";
import {
  akismetUrl,
  recaptchaPrivateKey,
  recaptchaSiteKey,
  recaptchaVerifyUrl,
  smtpUrl,
  spamKeywords,
} from "./mail-settings.ts";
import {
  oneOf,
  parseCron,
  parseFolder,
  parsePassword,
  parseSentToken,
  parseServerUrl,
  parseSwitch,
  parseToken,
  parseWholeNumber,
} from "./parsers.ts";
import { fixture, memory, outgoing, record, rngSeed, sandbox } from "./sandbox-settings.ts";
import type { DefaultedSetting, Setting } from "./setting.ts";
import {
  gitMaxObjectMb,
  gitMaxObjects,
  minFreeMemory,
  minFreeSpace,
  projectQuotaMb,
  repositoryStorages,
  storageMoveDelayMs,
  totalQuotaMb,
  userWriteQuotaMb,
} from "./storage-settings.ts";

export const logFormats = ["text", "json"] as const;
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

const data: DefaultedSetting<string> = {
  flag: "data",
  short: "d",
  placeholder: "folder",
  help: "data folder; created if it does not exist",
  expected: "the path of a folder",
  example: "./data",
  default: "./data",
  parse: parseFolder,
};

const edition: DefaultedSetting<(typeof editions)[number]> = {
  flag: "edition",
  placeholder: "name",
  help: `edition to offer: ${editions.join(", ")}`,
  expected: `one of ${editions.join(", ")}`,
  example: "ultimate",
  default: "ultimate",
  parse: oneOf(editions),
};

const featureDefinitions: Setting<string> = {
  flag: "feature-definitions",
  placeholder: "folder",
  help: "folder with your own feature flag definitions, one per YAML or JSON file",
  expected: "the path of a folder",
  example: "./feature-definitions",
  parse: parseFolder,
};

const logFormat: Setting<(typeof logFormats)[number]> = {
  flag: "log-format",
  placeholder: "name",
  help: `${logFormats.join(" or ")}; by default text on a terminal, json elsewhere`,
  expected: `one of ${logFormats.join(", ")}`,
  example: "json",
  parse: oneOf(logFormats),
};

const logLevel: DefaultedSetting<(typeof logLevels)[number]> = {
  flag: "log-level",
  placeholder: "name",
  help: `minimum level to log: ${logLevels.join(", ")}`,
  expected: `one of ${logLevels.join(", ")}`,
  example: "info",
  default: "info",
  parse: oneOf(logLevels),
};

const rootToken: Setting<string> = {
  flag: "root-token",
  placeholder: "text",
  help: "root's access token, first start only; safer as a variable",
  expected: "20 to 255 letters, digits and symbols without spaces",
  example: "$(openssl rand -hex 20)",
  secret: true,
  parse: parseToken,
};

const rootPassword: Setting<string> = {
  flag: "root-password",
  placeholder: "text",
  help: "root's password, first start only; safer as a variable",
  expected: "8 to 128 characters",
  example: "$(openssl rand -hex 20)",
  secret: true,
  parse: parsePassword,
};

const alertRateLimit: DefaultedSetting<number> = {
  flag: "alert-rate-limit",
  placeholder: "number",
  help: "alert requests that each project accepts per period; 0 for no limit",
  expected: "a whole number up to 1000000000",
  example: "1000",
  default: "0",
  parse: parseWholeNumber(0, 1_000_000_000),
};

const alertRatePeriod: DefaultedSetting<number> = {
  flag: "alert-rate-period",
  placeholder: "seconds",
  help: "length of the period of --alert-rate-limit, in seconds",
  expected: "a whole number of seconds from 1 to 86400",
  example: "3600",
  default: "3600",
  parse: parseWholeNumber(1, 86_400),
};

const backupSchedule: Setting<string> = {
  flag: "backup-schedule",
  placeholder: "cron",
  help: "when to create backups: minute hour day month weekday, in UTC; by default never",
  expected: "a cron pattern: minute hour day month weekday",
  example: "30 3 * * *",
  parse: parseCron,
};

const backupFolder: Setting<string> = {
  flag: "backup-folder",
  placeholder: "folder",
  help: "folder for scheduled backups; by default `backups` in the data folder",
  expected: "the path of a folder",
  example: "/mnt/backups",
  parse: parseFolder,
};

const backupKeep: DefaultedSetting<number> = {
  flag: "backup-keep",
  placeholder: "number",
  help: "how many scheduled backups to keep; older ones are deleted once a new one is verified",
  expected: "a whole number from 1 to 10000",
  example: "30",
  default: "7",
  parse: parseWholeNumber(1, 10_000),
};

const demoRunner: DefaultedSetting<boolean> = {
  flag: "demo-runner",
  placeholder: "true",
  help: "simulate a runner for demos: jobs seem to run and succeed, nothing is executed",
  expected: "true or false",
  example: "true",
  isSwitch: true,
  default: "false",
  parse: parseSwitch,
};

const console: DefaultedSetting<boolean> = {
  flag: "console",
  placeholder: "false",
  help: "disable the web console at /-/console/ and the sessions of browsers",
  expected: "true or false",
  example: "false",
  isSwitch: true,
  default: "true",
  parse: parseSwitch,
};

const url: Setting<string> = {
  flag: "url",
  placeholder: "url",
  help: "server that `outpost api` calls; by default OUTPOST_HOST and OUTPOST_PORT, or the one that uses the data folder",
  expected: "an http or https URL without a query, or unix:PATH",
  example: "http://127.0.0.1:8080",
  parse: parseServerUrl,
};

const token: Setting<string> = {
  flag: "token",
  placeholder: "text",
  help: "access token that `outpost api` sends; by default root's, only to a server on this machine",
  expected: "letters, digits and symbols without spaces",
  example: "$(outpost token create --user root --scopes api)",
  secret: true,
  parse: parseSentToken,
};

const cacert: Setting<string> = {
  flag: "cacert",
  placeholder: "file",
  help: "PEM certificate that commands trust besides those of the system; by default that of the data folder's own server",
  expected: "the path of a file",
  example: "./data/tls/authority.pem",
  parse: parseFolder,
};

/** The settings of a server under the headings of the help, common ones first. */
const commonSettings = {
  data,
  host,
  port,
  externalUrl,
  edition,
  console,
  rootToken,
  rootPassword,
  logLevel,
  logFormat,
} as const;
const connectionSettings = { socket, tlsCert, tlsKey, tlsSelfSigned, trustedProxies, metricsAccess } as const;
const storageSettings = { repositoryStorages, storageMoveDelayMs, backupSchedule, backupFolder, backupKeep } as const;
const limitSettings = {
  networkConnections,
  projectQuotaMb,
  totalQuotaMb,
  userWriteQuotaMb,
  gitMaxObjects,
  gitMaxObjectMb,
  minFreeMemory,
  minFreeSpace,
  alertRateLimit,
  alertRatePeriod,
} as const;
const mailSettings = {
  smtpUrl,
  spamKeywords,
  akismetUrl,
  recaptchaSiteKey,
  recaptchaPrivateKey,
  recaptchaVerifyUrl,
} as const;
const testSettings = {
  sandbox,
  memory,
  rngSeed,
  fixture,
  record,
  outgoing,
  featureDefinitions,
  demoRunner,
} as const;
const serverSettings = {
  ...commonSettings,
  ...connectionSettings,
  ...storageSettings,
  ...limitSettings,
  ...mailSettings,
  ...testSettings,
} as const;

export const settingGroups: readonly { readonly heading: string; readonly settings: readonly Setting<unknown>[] }[] = [
  { heading: "Flags:", settings: Object.values(commonSettings) },
  { heading: "Connections:", settings: Object.values(connectionSettings) },
  { heading: "Repositories and backups:", settings: Object.values(storageSettings) },
  { heading: "Limits:", settings: Object.values(limitSettings) },
  { heading: "Mail, spam and CAPTCHAs:", settings: Object.values(mailSettings) },
  { heading: "Tests and demos:", settings: Object.values(testSettings) },
];

/** All settings in the order of the help. */
export const settings = { ...serverSettings, url, token, cacert } as const;

export const settingsOfServer: readonly Setting<unknown>[] = Object.values(serverSettings);
export const allSettings: readonly Setting<unknown>[] = Object.values(settings);
