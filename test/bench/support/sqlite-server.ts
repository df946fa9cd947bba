// The same HTTP layer and the same modules as the executable, with SQLite in place of the store. One argument: folder.
import { createLog } from "../../../src/cli/log/logger.ts";
import { systemClock } from "../../../src/domain/clock.ts";
import { Repositories } from "../../../src/git/index.ts";
import { createRequestHandler } from "../../../src/http/entry/request-handler.ts";
import { RequestMetrics } from "../../../src/http/metrics/index.ts";
import { toDateTime } from "../../../src/lib/datetime.ts";
import { LoopActivity } from "../../../src/lib/loop-activity.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { createInitialAdmin } from "../../../src/modules/accounts/initial-setup/index.ts";
import { SignInRate } from "../../../src/modules/accounts/sessions/index.ts";
import { definitionsWith, FeatureFlags } from "../../../src/modules/admin/feature-flags/index.ts";
import { RunnerQueue } from "../../../src/modules/ci/runner-api/index.ts";
import { Access } from "../../../src/modules/core/access/index.ts";
import { GroupStatistics, StorageQuotas } from "../../../src/modules/core/namespaces/index.ts";
import { collections, operations, productModules } from "../../../src/modules/index.ts";
import type { Context } from "../../../src/modules/kernel/context.ts";
import { AlertRate } from "../../../src/modules/monitoring/alerts/index.ts";
import { MilestoneTimes, ReadableIssues } from "../../../src/modules/planning/issues/index.ts";
import { BlobUploads } from "../../../src/modules/registries/container-registry/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { copyingWorker } from "../../../src/workers.ts";
import { SqliteStore } from "./sqlite-store.ts";

const [folder] = process.argv.slice(2) as [string];
const store = new SqliteStore(folder, collections) as unknown as Store;
const metrics = new RequestMetrics({
  store,
  edition: "ultimate",
  countJobs: () => [],
  countUnsentMails: () => 0,
  countDroppedLogLines: () => 0,
});
const noReference = () => Promise.reject(new Error("the bench has no API reference"));
const access = new Access(store, systemClock);
const context: Context = {
  store,
  access,
  readableIssues: new ReadableIssues(store, access),
  groupStatistics: new GroupStatistics(store),
  quotas: new StorageQuotas(store, { projectBytes: undefined, totalBytes: undefined, minFreePercent: 0 }, folder),
  milestoneTimes: new MilestoneTimes(store, access),
  runnerQueue: new RunnerQueue(store, systemClock, systemRandomness),
  issueListeners: [],
  blobUploads: new BlobUploads(store, systemClock, systemRandomness),
  alertRate: new AlertRate(systemClock, { requests: 0, periodSeconds: 3600 }),
  noteListeners: [],
  epicListeners: [],
  memberDepartures: [],
  features: new FeatureFlags(store, definitionsWith([]), systemRandomness),
  clock: systemClock,
  randomness: systemRandomness,
  edition: "ultimate",
  externalUrl: undefined,
  mailBaseUrl: undefined,
  spamServices: { keywords: [], akismetUrl: "", recaptchaVerifyUrl: "" },
  log: createLog({ logFormat: "json", logLevel: "warn" }),
  metrics,
  activity: new LoopActivity([]),
  userRemovals: productModules.userRemovals,
  projectRemovals: productModules.projectRemovals,
  projectFacts: productModules.projectFacts,
  groupRemovals: productModules.groupRemovals,
  onPush: productModules.onPush,
  repositories: new Repositories({
    storages: [{ name: "default", folder: undefined }],
    dataFolder: folder,
    isReadOnly: () => false,
    copyingWorker,
  }),
  storageMoves: { delayMs: 0, startedAt: toDateTime(Date.now()) },
  signInRate: new SignInRate(systemClock),
  console: undefined,
  reference: { document: noReference, page: noReference, pageFile: noReference },
};
const firstStart = createInitialAdmin(
  context,
  { token: process.env.BENCH_ROOT_TOKEN, password: "correct horse battery" },
  { read: () => undefined, write() {} },
);
await firstStart?.setRootPassword();
const front = createRequestHandler({
  context,
  operations,
  externalUrl: undefined,
  trustedProxies: undefined,
  isSecure: false,
  metrics,
});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: front.fetch });
console.log(`listening on ${server.url.origin}`);
