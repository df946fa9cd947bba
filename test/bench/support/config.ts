import type { Config } from "../../../src/config/config.ts";
import { rootToken } from "./outpost.ts";

/** What a server is opened with in the bench's own process. */
export function benchConfig(dataFolder: string): Config {
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
    edition: "ultimate",
    repositoryStorages: [{ name: "default", folder: undefined }],
    storageMoveDelayMs: 0,
    featureDefinitions: undefined,
    logFormat: "json",
    logLevel: "silent",
    smtpUrl: undefined,
    spamKeywords: undefined,
    akismetUrl: "",
    recaptchaSiteKey: undefined,
    recaptchaPrivateKey: undefined,
    recaptchaVerifyUrl: "",
    rootToken,
    rootPassword: "correct horse battery",
    alertRateLimit: 0,
    alertRatePeriod: 3600,
    demoRunner: false,
    backupSchedule: undefined,
    backupFolder: `${dataFolder}/backups`,
    backupKeep: 7,
  };
}
