import type { Config } from "./config/config.ts";
import { type Clock, systemClock } from "./domain/clock.ts";
import { toDateTime } from "./domain/datetime.ts";
import type { Log } from "./domain/log.ts";
import { type Randomness, systemRandomness } from "./domain/randomness.ts";
import { exitCodes } from "./domain/start-error.ts";
import { createFront, type Front } from "./http/front.ts";
import { RequestMetrics } from "./http/metrics/index.ts";
import { StartingFront } from "./http/starting.ts";
import { Scheduler, type Work } from "./jobs/scheduler.ts";
import type { Authority, Fetch, Listener } from "./listening/listener.ts";
import { openListener } from "./listening/open.ts";
import { Access } from "./modules/access/index.ts";
import { AlertRate } from "./modules/alerts/index.ts";
import { saveRecaptchaKeys } from "./modules/application-settings/index.ts";
import { type BackupSettings, scheduledBackups } from "./modules/backups/index.ts";
import { BlobUploads } from "./modules/container-registry/index.ts";
import type { ApiReference, Context } from "./modules/context.ts";
import { definitionsWith, FeatureFlags, readDefinitions } from "./modules/features/index.ts";
import {
  areas,
  collections,
  epicListeners,
  groupRemovals,
  issueListeners,
  jobKinds,
  memberDepartures,
  noteListeners,
  onPush,
  operations,
  periodicWork,
  projectFacts,
  projectRemovals,
  userRemovals,
} from "./modules/index.ts";
import { type FirstStart, installFirstTime } from "./modules/installation/index.ts";
import { MilestoneTimes, ReadableIssues } from "./modules/issues/index.ts";
import { demoRunner, JobNews } from "./modules/job-runs/index.ts";
import { countJobs } from "./modules/jobs/index.ts";
import { MailSender, smtpTransport, unsentMails } from "./modules/outbox/index.ts";
import { isBeingMoved } from "./modules/repositories/index.ts";
import { Repositories } from "./repositories/index.ts";
import { explainUnusable, replaceFile, Store, systemDisk } from "./store/index.ts";

/** A server that is listening. */
export interface App {
  /** As `Listener`. */
  readonly origin: string;
  /** What clients have to trust, where the server made its certificate itself. */
  readonly authority: Authority | undefined;
  /** Absolute path of the credentials file; undefined unless this was the first start. */
  readonly credentialsFile: string | undefined;
  /** For tests: what no operation shows. */
  readonly context: Context;
  readonly scheduler: Scheduler;
  /** Requests in flight are finished, everything is on disk, the lock is free. A second call waits for the first. */
  stop(): Promise<void>;
}

const credentialsName = "initial-root-credentials";
/** Requests and jobs under way when a stop is asked for get this long; then they are cut off. */
const stopGraceMs = 2_500;

/** What comes in from outside the process; tests bring their own. */
export interface Seams {
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** In the place of the modules' own. */
  readonly work?: Partial<Work>;
}

/** The store of a data folder with what the services around it need, for a server or for a verb without one. */
export interface House {
  readonly context: Context;
  readonly metrics: RequestMetrics;
  /** Not started: a verb without a server leaves its mails to the next one. */
  readonly mailSender: MailSender | undefined;
}

/**
 * Opens the store. Throws `StartError` for what a person can mend; `context.store.close` ends it. `onLocked` is awaited
 * once the folder is this process's own, before anything is read of it.
 */
export async function openHouse(
  config: Config,
  log: Log,
  seams: Seams = {},
  onLocked: () => Promise<void> = async () => {},
): Promise<House> {
  const { clock = systemClock, randomness = systemRandomness, work } = seams;
  const { edition, featureDefinitions } = config;
  const definitions = definitionsWith(featureDefinitions === undefined ? [] : readDefinitions(featureDefinitions));
  const store = await Store.open({
    folder: config.dataFolder,
    collections,
    clock,
    randomness,
    log,
    onLocked,
    beforeMigration: () => backUpFirst(config, clock, log),
    onBroken: (error) => dieBroken(error, log),
  });
  const repositories = await openRepositories(config, store);
  const metrics = new RequestMetrics({
    ...{ store, edition },
    countJobs: () => countJobs(store, work?.jobKinds ?? jobKinds),
    countUnsentMails: () => store.of(unsentMails).size,
  });
  const reference = apiReference(config);
  const mailSender = makeMailSender(config, { store, clock, log });
  const { externalUrl } = config;
  const { spamKeywords: keywords = [], akismetUrl, recaptchaVerifyUrl } = config;
  const { alertRateLimit, alertRatePeriod } = config;
  const blobUploads = new BlobUploads(store, clock, randomness);
  const alertRate = new AlertRate(clock, { requests: alertRateLimit, periodSeconds: alertRatePeriod });
  const access = new Access(store, clock);
  const readableIssues = new ReadableIssues(store, access);
  const features = new FeatureFlags(store, definitions, randomness);
  const milestoneTimes = new MilestoneTimes(store, access);
  const context: Context = {
    ...{ store, repositories, access, readableIssues, milestoneTimes, features },
    jobNews: new JobNews(store, clock, randomness),
    ...{ clock, randomness, edition, log, metrics, reference, mailSender },
    ...{ userRemovals, groupRemovals, projectRemovals, projectFacts, issueListeners },
    ...{ noteListeners, epicListeners, memberDepartures, onPush },
    storageMoves: { delayMs: config.storageMoveDelayMs, startedAt: toDateTime(clock.now()) },
    ...{ externalUrl, alertRate, blobUploads, spamServices: { keywords, akismetUrl, recaptchaVerifyUrl } },
  };
  return { context, metrics, mailSender };
}

async function openRepositories(config: Config, store: Store): Promise<Repositories> {
  try {
    return new Repositories({
      storages: config.repositoryStorages,
      dataFolder: config.dataFolder,
      isReadOnly: (ref) => isBeingMoved(store, ref),
      copyingWorker: new URL("./repositories/copying/worker.ts", import.meta.url),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function makeMailSender(
  { smtpUrl, externalUrl }: Config,
  house: Pick<Context, "store" | "clock" | "log">,
): MailSender | undefined {
  if (smtpUrl === undefined) return undefined;
  const host = externalUrl === undefined ? "localhost" : new URL(externalUrl).hostname;
  return new MailSender({ ...house, transport: smtpTransport(smtpUrl, host) });
}

/** Makes `root` in a store that has none yet; what was drawn for it is in a file in the data folder. */
export function startFirstTime(context: Context, config: Config): FirstStart | undefined {
  const path = credentialsFileOf(config);
  return installFirstTime(
    context,
    { token: config.rootToken, password: config.rootPassword },
    {
      read: () => (systemDisk.exists(path) ? new TextDecoder().decode(systemDisk.read(path)) : undefined),
      write: (text) => replaceFile(systemDisk, config.dataFolder, credentialsName, new TextEncoder().encode(text)),
    },
  );
}

function credentialsFileOf({ dataFolder }: Config): string {
  return `${dataFolder}/${credentialsName}`;
}

/**
 * Listens, opens the store, builds the modules: until all of it is done, who asks is told so. Throws `StartError` for what
 * a person can mend.
 */
export async function startApp(config: Config, log: Log, seams: Seams = {}): Promise<App> {
  const door: Door = { fetch: new StartingFront(seams.randomness ?? systemRandomness).fetch };
  let listener: Listener | undefined;
  try {
    const house = await openHouse(config, log, seams, async () => {
      listener = await openListener(config, (request, server) => door.fetch(request, server), log);
    });
    if (listener === undefined) throw new Error("the store was opened without a lock");
    return await moveIn(config, house, listener, door, seams);
  } catch (error) {
    listener?.cutOff();
    throw error;
  }
}

/** Who answers at the moment. */
interface Door {
  fetch: Fetch;
}

async function moveIn(
  config: Config,
  { context, metrics, mailSender }: House,
  listener: Listener,
  door: Door,
  seams: Seams,
): Promise<App> {
  const { store, log } = context;
  try {
    const firstStart = startFirstTime(context, config);
    saveRecaptchaKeys(context, config.recaptchaSiteKey, config.recaptchaPrivateKey);
    await store.settled();
    const front = createFront({
      context,
      operations,
      metrics,
      isSecure: config.tlsCert !== undefined || config.tlsSelfSigned,
      ...config,
    });
    const scheduler = new Scheduler(context, {
      jobKinds,
      periodicWork: [
        ...periodicWork,
        ...scheduledBackups(backupSettingsOf(config)),
        ...(config.demoRunner ? [demoRunner] : []),
      ],
      ...seams.work,
    });
    door.fetch = front.fetch;
    store.startBackgroundWork();
    mailSender?.start();
    scheduler.start();
    metrics.start(() => listener.pendingRequests);
    const passwordSet = firstStart?.setRootPassword() ?? Promise.resolve();
    passwordSet.catch((error: unknown) => log.error({ error: String(error) }, "the root password could not be stored"));
    let stopping: Promise<void> | undefined;
    return {
      origin: listener.origin,
      authority: listener.authority,
      credentialsFile: firstStart?.isCredentialsFileWritten === true ? credentialsFileOf(config) : undefined,
      context,
      scheduler,
      stop() {
        metrics.stop();
        stopping ??= stop(listener, front, passwordSet, scheduler, context, mailSender);
        return stopping;
      },
    };
  } catch (error) {
    await store.close();
    throw explainUnusable(config.dataFolder, error);
  }
}

async function backUpFirst(config: Config, clock: Clock, log: Log): Promise<void> {
  const { backUpBeforeMigration } = await import("./archive/index.ts");
  const file = await backUpBeforeMigration(config, config.backupFolder, toDateTime(clock.now()));
  log.info({ file }, "the store is backed up before it is migrated");
}

function backupSettingsOf({
  backupSchedule: schedule,
  backupFolder: folder,
  backupKeep: keep,
}: Config): BackupSettings {
  return { schedule, folder, keep };
}

/** Neither the document nor the page costs anything before somebody asks for it. */
function apiReference({ externalUrl }: Config): ApiReference {
  const basePath = externalUrl === undefined ? "" : new URL(externalUrl).pathname.replace(/\/+$/, "");
  const document = once(async () => {
    const { renderApiDocument } = await import("./http/openapi/index.ts");
    return renderApiDocument(areas, basePath);
  });
  const page = once(async () => {
    const { ApiPage } = await import("./console/api-page.ts");
    return new ApiPage(basePath);
  });
  return {
    document,
    page: async () => (await page()).html(),
    pageFile: async (segment) => (await page()).file(segment),
  };
}

/** The first call's promise answers all calls. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function stop(
  listener: Listener,
  front: Front,
  passwordSet: Promise<void>,
  scheduler: Scheduler,
  context: Context,
  mailSender: MailSender | undefined,
): Promise<void> {
  // Runners that wait for a job go home first.
  context.jobNews.close();
  const finished = listener.stop();
  front.drain();
  // Whoever dribbles a request must not keep the server from ending.
  const cutOff = setTimeout(() => listener.cutOff(), stopGraceMs);
  await Promise.allSettled([finished, passwordSet, scheduler.stop(stopGraceMs)]);
  clearTimeout(cutOff);
  await mailSender?.stop();
  await context.store.close();
}

/** A write that is already visible in memory did not reach the disk: nobody may be answered, and nothing retried. */
function dieBroken(error: unknown, log: Log): void {
  log.error({ error: String(error) }, "the disk failed under the journal; ending at once, the next start recovers");
  process.exit(exitCodes.failed);
}
