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
import { definitionsWith } from "../../../src/modules/admin/feature-flags/index.ts";
import { collections, operations, productModules } from "../../../src/modules/index.ts";
import { createContext } from "../../../src/modules/kernel/context.ts";
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
const context = createContext(
  {
    store,
    storageLimits: { projectBytes: undefined, totalBytes: undefined, minFreePercent: 0, userBytesPerHour: 0, folder },
    alertRateLimit: { requests: 0, periodSeconds: 3600 },
    featureDefinitions: definitionsWith([]),
    clock: systemClock,
    randomness: systemRandomness,
    processToken: systemRandomness.token(8),
    edition: "ultimate",
    externalUrl: undefined,
    mailBaseUrl: undefined,
    spamServices: { keywords: [], akismetUrl: "", recaptchaVerifyUrl: "" },
    log: createLog({ logFormat: "json", logLevel: "warn" }),
    metrics,
    console: undefined,
    activity: new LoopActivity([]),
    repositories: new Repositories({
      storages: [{ name: "default", folder: undefined }],
      dataFolder: folder,
      generation: "0001",
      isReadOnly: () => false,
      copyingWorker,
    }),
    storageMoves: { delayMs: 0, startedAt: toDateTime(Date.now()) },
    reference: { document: noReference, page: noReference, pageFile: noReference },
  },
  productModules,
);
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
