import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfig } from "../../../config/config.ts";
import { type Clock, systemClock } from "../../../domain/clock.ts";
import { silentLog } from "../../../lib/log.ts";
import { enqueueJob } from "../../../modules/core/background-jobs/index.ts";
import { jobs } from "../../../modules/core/background-jobs/records.ts";
import { getUser } from "../../../modules/core/users/index.ts";
import { users } from "../../../modules/core/users/records.ts";
import type { Context } from "../../../modules/kernel/context.ts";
import { startApp } from "../../../server/app.ts";
import { seedFresh } from "../../commands/data/seed.ts";

/** Root's token. */
export const rootToken = "outpost-example-token";
export const rootPassword = "outpost-example-password";
const today = "2026-10-01";

const prefix = join(tmpdir(), "outpost-examples-");
/** Matches the parent of the data folder anywhere in a text. */
export const dataParent = new RegExp(`${RegExp.escape(prefix)}\\w+`, "g");

/** Keeps the time of the build out of the examples. */
const stoppedClock: Clock = { ...systemClock, now: () => Date.parse(`${today}T09:00:00.000Z`) };

/** Users who wait for approval. No API call creates such users. */
export const pendingIds: readonly [approved: number, rejected: number] = [38, 39];

function awaitApproval({ store }: Context, ids: readonly number[]): void {
  store.transact((tx) => {
    for (const id of ids) tx.update(users, { ...getUser(store, id), state: "blocked_pending_approval" });
  });
}

/** A failed job, which the demo lacks. */
export const failedJobId = 1;

function failJob(context: Context): void {
  context.store.transact((tx) => {
    const job = enqueueJob(tx, context, { kind: "delete_project", payload: {} });
    tx.update(jobs, { ...job, state: "failed", attempts: 10, last_error: "Error: the disk is full" });
  });
}

/** Seeds a sandbox as `outpost demo` does, with the same data each time, and serves it while `use` runs. */
export async function withDemoServer<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(prefix);
  try {
    const config = resolveConfig({
      command: "serve",
      flags: {
        ...{ data: join(folder, "data"), port: "0", sandbox: "true", "rng-seed": "1" },
        outgoing: "sink",
        "external-url": "https://outpost.example",
      },
      environment: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: rootPassword },
      terminal: false,
    });
    await seedFresh(config, { rngSeed: "1", until: today, task: "making the examples of the API" });
    const app = await startApp(config, silentLog, { clock: stoppedClock });
    try {
      awaitApproval(app.context, pendingIds);
      failJob(app.context);
      return await use(app.origin);
    } finally {
      await app.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
