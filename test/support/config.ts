import type { Config } from "../../src/config/config.ts";

export const rootToken = "root-token-of-the-tests";

/** The configuration of a server in tests. */
export function configFor(dataFolder: string, settings: Partial<Config> = {}): Config {
  return {
    host: "127.0.0.1",
    port: 0,
    socket: undefined,
    tlsCert: undefined,
    tlsKey: undefined,
    tlsSelfSigned: false,
    dataFolder,
    externalUrl: undefined,
    trustedProxies: undefined,
    metricsAccess: "local",
    console: true,
    sandbox: false,
    memory: false,
    rngSeed: undefined,
    fixture: undefined,
    record: undefined,
    outgoing: "send",
    edition: "ultimate",
    repositoryStorages: [{ name: "default", folder: undefined }],
    storageMoveDelayMs: 0,
    featureDefinitions: undefined,
    logFormat: "json",
    logLevel: "silent",
    smtpUrl: undefined,
    spamKeywords: undefined,
    // Nobody listens there: what a test does not bring is not asked.
    akismetUrl: "http://127.0.0.1:9",
    recaptchaSiteKey: undefined,
    recaptchaPrivateKey: undefined,
    recaptchaVerifyUrl: "http://127.0.0.1:9",
    rootToken,
    rootPassword: "correct horse battery",
    alertRateLimit: 0,
    alertRatePeriod: 3600,
    projectQuotaMb: 0,
    totalQuotaMb: 0,
    minFreeSpace: 0,
    minFreeMemory: 0,
    userWriteQuotaMb: 0,
    demoRunner: false,
    backupSchedule: undefined,
    backupFolder: `${dataFolder}/backups`,
    backupKeep: 7,
    origins: {},
    ...settings,
  };
}
