import { type Config, hasTls } from "../config/config.ts";
import { type Clock, systemClock } from "../domain/clock.ts";
import { exitCodes } from "../domain/start-error.ts";
import { Repositories, RepositoryHistory } from "../git/index.ts";
import { explainCall } from "../http/entry/explanation.ts";
import { RequestMetrics } from "../http/metrics/index.ts";
import { toDateTime } from "../lib/datetime.ts";
import type { Log } from "../lib/log.ts";
import { LoopActivity } from "../lib/loop-activity.ts";
import { httpCaller } from "../lib/outgoing/http-call.ts";
import { type Randomness, SeededRandomness, systemRandomness } from "../lib/randomness.ts";
import { createInitialAdmin, type FirstStart } from "../modules/accounts/initial-setup/index.ts";
import { definitionsWith, readDefinitions } from "../modules/admin/feature-flags/index.ts";
import { countJobs } from "../modules/core/background-jobs/index.ts";
import { countWaiting } from "../modules/core/deliveries/index.ts";
import { mailKind } from "../modules/core/outbox/index.ts";
import { modules, productModules } from "../modules/index.ts";
import {
  type Context,
  type ContextParts,
  createContext,
  type SmtpServer,
  type SpamServices,
  type StorageLimits,
} from "../modules/kernel/context.ts";
import { type AssembledModules, assembleModules, type ModuleManifest } from "../modules/kernel/module.ts";
import { isBeingMoved } from "../modules/repositories/storage-moves/records.ts";
import type { Work } from "../scheduler/scheduler.ts";
import {
  type Disk,
  type FolderLock,
  memoryGuard,
  type OnStoreProgress,
  otherGenerations,
  partsFolderOf,
  replaceFile,
  Store,
  systemDisk,
} from "../store/index.ts";
import { copyingWorker, packWorker } from "../workers.ts";
import { CallSink } from "./call-sink.ts";
import { diskOf } from "./disk.ts";
import { calledAt } from "./listeners/listener.ts";
import { apiReference, consolePages } from "./pages.ts";
import { createSandbox } from "./sandbox.ts";
import { AdjustableClock } from "./sandbox-clock.ts";

const credentialsName = "initial-root-credentials";

/** Dependencies outside of the process, which tests can replace. */
export interface ServerOverrides {
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Replaces background work of the modules. */
  readonly work?: Partial<Work>;
  /** Modules in addition to the product's own. */
  readonly modules?: readonly ModuleManifest[];
  readonly disk?: Disk;
  /** A generation that is being made, to use instead of the current one. */
  readonly draft?: string;
  /** The address of the listener, as a base of URLs. */
  readonly origin?: string;
  /** Called with the progress of opening the store. */
  readonly onProgress?: OnStoreProgress;
}

/** A context with an open store, for a server or an offline command. */
export interface ServerContext {
  readonly context: Context;
  readonly modules: AssembledModules;
  readonly metrics: RequestMetrics;
}

/**
 * Opens the store. Throws `StartError` for errors that the user can fix. Close it with `context.store.close`. `lock` is the
 * lock of the data folder, if this process has it already.
 */
export async function createServerContext(
  config: Config,
  log: Log,
  overrides: ServerOverrides = {},
  lock?: FolderLock,
): Promise<ServerContext> {
  const { clock: realClock = systemClock, work, draft, onProgress, modules: added } = overrides;
  const disk = diskOf(config, overrides);
  const { edition } = config;
  const adjustable = config.sandbox ? new AdjustableClock(realClock) : undefined;
  const clock = adjustable ?? realClock;
  const seeded = config.rngSeed === undefined ? undefined : new SeededRandomness(config.rngSeed, () => clock.now());
  const randomness = overrides.randomness ?? seeded ?? systemRandomness;
  const assembled = added === undefined ? productModules : assembleModules([...modules, ...added]);
  const featureDefinitions = definitionsWith(
    config.featureDefinitions === undefined ? [] : readDefinitions(config.featureDefinitions),
  );
  const store = await Store.open({
    folder: config.dataFolder,
    draft,
    collections: assembled.collections,
    sandbox: config.sandbox,
    clock,
    randomness,
    log,
    disk,
    lock: lock === undefined ? undefined : () => lock,
    onProgress,
    requireMemory: memoryGuard(config.minFreeMemory),
    onDiskFailure: (error) => exitOnDiskFailure(error, log),
    onDamage: (found) => exitOnDamage(found, log),
  });
  const repositories = await openRepositories(config, store, draft);
  const metrics = new RequestMetrics(
    {
      ...{ store, edition },
      countJobs: () => countJobs(store, work?.jobKinds ?? assembled.jobKinds),
      countUnsentMails: () => countWaiting(store, mailKind),
      countDroppedLogLines: () => log.droppedLines ?? 0,
    },
    { isOpenLocally: config.metricsAccess === "local" },
  );
  const { operations } = assembled;
  const sink = config.outgoing === "sink" ? new CallSink(clock) : undefined;
  const { spamKeywords: keywords = [], akismetUrl, recaptchaVerifyUrl } = config;
  const { alertRateLimit, alertRatePeriod } = config;
  const parts: ContextParts = {
    ...{ store, repositories, featureDefinitions, collections: assembled.collections },
    storageLimits: storageLimitsOf(config),
    passwordLife: config.memory ? "short" : "long",
    backups: { schedule: config.backupSchedule, folder: config.backupFolder, keep: config.backupKeep },
    credentialsFile: credentialsFileOf(config),
    listStartSettings: async () => {
      const { startSettingsOf } = await import("./start-settings.ts");
      return startSettingsOf(config);
    },
    alertRateLimit: { requests: alertRateLimit, periodSeconds: alertRatePeriod },
    ...{ clock, randomness, edition, log, metrics, processToken: randomness.token(8) },
    smtp: sink === undefined ? smtpServerOf(config) : undefined,
    demoRunner: config.demoRunner,
    reference: apiReference(config, operations),
    loadOperations: () => operations.loadAll(),
    explainCall: (context, question) => explainCall(context, operations.all, question),
    activity: new LoopActivity(),
    storageMoves: { delayMs: config.storageMoveDelayMs, startedAt: toDateTime(clock.now()) },
    ...addressesOf(config, overrides.origin),
    sandbox: adjustable === undefined ? undefined : createSandbox(adjustable, seeded, config.record, sink, assembled),
    console: config.console ? consolePages(config) : undefined,
    callHttp: sink?.call ?? httpCaller(),
    spamServices: { keywords, akismetUrl, recaptchaVerifyUrl, recaptchaKeys: recaptchaKeysOf(config) },
  };
  return { context: createContext(parts, assembled), modules: assembled, metrics };
}

function storageLimitsOf({
  projectQuotaMb,
  totalQuotaMb,
  minFreeSpace,
  userWriteQuotaMb,
  dataFolder: folder,
}: Config): StorageLimits {
  const bytesOf = (mebibytes: number) => (mebibytes === 0 ? undefined : mebibytes * 1024 ** 2);
  return {
    projectBytes: bytesOf(projectQuotaMb),
    totalBytes: bytesOf(totalQuotaMb),
    minFreePercent: minFreeSpace,
    userBytesPerHour: userWriteQuotaMb * 1024 ** 2,
    folder,
  };
}

async function openRepositories(config: Config, store: Store, draft: string | undefined): Promise<Repositories> {
  try {
    if (draft === undefined) await removeLeftovers(config, store);
    return new Repositories({
      storages: config.repositoryStorages,
      dataFolder: config.dataFolder,
      generation: store.manifest.generation,
      isReadOnly: (ref) => isBeingMoved(store, ref),
      history: store.manifest.sandbox ? new RepositoryHistory(() => store.history.list().at(-1)?.id) : undefined,
      packLimits: { objectsMax: config.gitMaxObjects, objectBytesMax: config.gitMaxObjectMb * 1024 ** 2 },
      copyingWorker,
      packWorker,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Removes the remains of an interrupted seed or restore, once the current store is known to be complete. */
async function removeLeftovers(config: Config, { manifest: { generation } }: Store): Promise<void> {
  if (otherGenerations(systemDisk, config.dataFolder, generation).length === 0) return;
  const { removeOtherGenerations } = await import("../archive/index.ts");
  await removeOtherGenerations(config);
}

/**
 * Returns the addresses of this server. The issuer of tokens never comes from a request, since its sender could choose the
 * signer.
 */
function addressesOf(config: Config, origin = ""): Pick<ContextParts, "externalUrl" | "issuer" | "mailBaseUrl"> {
  const { externalUrl } = config;
  // A socket file has no URL.
  const issuer = externalUrl ?? (/^https?:/.test(origin) ? calledAt(origin) : "http://localhost");
  return { externalUrl, issuer, mailBaseUrl: mailBaseUrlOf(config) };
}

/**
 * Returns the base URL of links in mails; undefined when the settings have no suitable address. It never comes from a
 * request, whose sender may forge the host name.
 */
function mailBaseUrlOf(config: Config): string | undefined {
  const { externalUrl, socket, host, port } = config;
  if (externalUrl !== undefined) return externalUrl;
  if (socket !== undefined || port === 0 || host === "0.0.0.0" || host === "::") return undefined;
  return `${hasTls(config) ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function smtpServerOf({ smtpUrl: url, externalUrl }: Config): SmtpServer | undefined {
  if (url === undefined) return undefined;
  return { url, fromHost: externalUrl === undefined ? "localhost" : new URL(externalUrl).hostname };
}

function recaptchaKeysOf({ recaptchaSiteKey: site, recaptchaPrivateKey }: Config): SpamServices["recaptchaKeys"] {
  return site === undefined || recaptchaPrivateKey === undefined ? undefined : { site, private: recaptchaPrivateKey };
}

/**
 * Creates `root` in a new store. Writes the generated password and token to a file in the data folder, or in that of a
 * draft.
 */
export function startFirstTime(context: Context, config: Config, draft?: string): FirstStart | undefined {
  const folder = partsFolderOf(config.dataFolder, draft);
  const path = `${folder}/${credentialsName}`;
  return createInitialAdmin(
    context,
    { token: config.rootToken, password: config.rootPassword },
    {
      read: () => (systemDisk.exists(path) ? new TextDecoder().decode(systemDisk.read(path)) : undefined),
      write: (text) => replaceFile(systemDisk, folder, credentialsName, new TextEncoder().encode(text)),
    },
  );
}

export function credentialsFileOf({ dataFolder }: Config): string {
  return `${dataFolder}/${credentialsName}`;
}

/** Ends the process after a failed write of a visible change: it must answer no more requests, and must not retry. */
function exitOnDiskFailure(error: unknown, log: Log): void {
  log.error({ error: String(error) }, "the disk failed under the journal; exiting now, the next start recovers");
  process.exit(exitCodes.failed);
}

/** Ends the process at once. All acknowledged changes are on disk. */
function exitOnDamage(found: string, log: Log): void {
  log.error({ found }, "the store is damaged; exiting now, outpost check names the document");
  process.exit(exitCodes.damaged);
}
