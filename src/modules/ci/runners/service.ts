import type { Caller } from "../../../domain/caller.ts";
import type { Clock } from "../../../domain/clock.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, dayMs, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import { groupRemoval, projectRemoval } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { recordRunnerEvent } from "./audit.ts";
import {
  findManager,
  type RunnerInfo,
  type RunnerManagerRecord,
  type RunnerRecord,
  runnerManagers,
  runners,
} from "./records.ts";

const silent: RunnerInfo = { version: "", revision: "", platform: "", architecture: "" };
const contactNotedEveryMs = 60_000;

/**
 * Notes that a machine asked with a runner's token: lazily and at most once a minute, but for a machine that was not here before,
 * and one that says something new of itself.
 */
export function recordContact(
  { store, clock }: Context,
  runner: RunnerRecord,
  system_id: string,
  given: Readonly<Record<string, unknown>> | undefined,
  ipAddress: () => string | null,
): RunnerManagerRecord {
  const contacted_at = toDateTime(clock.now());
  recordRunnerContact({ store, clock }, runner);
  const info = infoOf(given);
  const known = findManager(store, runner.id, system_id);
  if (known === undefined) {
    const ip_address = ipAddress() ?? "";
    return store.transact((tx) => {
      makeRoomForManager(tx, store, runner);
      const id = tx.nextId("runner_managers");
      const first = { id, runner_id: runner.id, system_id, ip_address, created_at: contacted_at, contacted_at };
      return tx.insert(runnerManagers, { ...first, ...silent, ...info });
    });
  }
  const heard = { ...known, ...info };
  if (isContactDue(clock, known) || !Bun.deepEquals(heard, known)) {
    store.touch(runnerManagers, { ...heard, ip_address: ipAddress() ?? "", contacted_at });
  }
  return known;
}

const infoNames = ["version", "revision", "platform", "architecture"] as const;
const infoTextMax = 255;

function infoOf(info: Readonly<Record<string, unknown>> = {}): Partial<RunnerInfo> {
  return Object.fromEntries(
    infoNames.flatMap((name) => (typeof info[name] === "string" ? [[name, info[name].slice(0, infoTextMax)]] : [])),
  );
}

/** A token may be in many hands: of as many machines as a runner has, the one without contact for longest is removed. */
const managersMax = 1000;

function makeRoomForManager(tx: Transaction, store: Store, { id }: RunnerRecord): void {
  const documents = store.of(runnerManagers);
  const ids = documents.by.runner_id.find(id);
  if (ids.size < managersMax) return;
  const contactOf = (managerId: number) => documents.get(managerId)?.contacted_at ?? "";
  const longestAgo = [...ids].reduce((one, other) => (contactOf(other) < contactOf(one) ? other : one));
  tx.remove(runnerManagers, longestAgo);
}

/** Notes that it was heard of the runner and the machine of a job, which may ask for no other one for hours. */
export function recordContactOfJob(
  context: Context,
  runnerId: number | undefined,
  managerId: number | undefined,
): void {
  const { store, clock } = context;
  const runner = store.of(runners).get(runnerId ?? 0);
  const manager = store.of(runnerManagers).get(managerId ?? 0);
  if (runner !== undefined) recordRunnerContact(context, runner);
  if (manager !== undefined && isContactDue(clock, manager)) {
    store.touch(runnerManagers, { ...manager, contacted_at: toDateTime(clock.now()) });
  }
}

function recordRunnerContact({ store, clock }: Pick<Context, "store" | "clock">, runner: RunnerRecord): void {
  if (isContactDue(clock, runner)) store.touch(runners, { ...runner, contacted_at: toDateTime(clock.now()) });
}

function isContactDue(clock: Clock, { contacted_at: last }: { readonly contacted_at: DateTime | null }): boolean {
  return last === null || clock.now() - Date.parse(last) >= contactNotedEveryMs;
}

/** Removes a runner. Its running jobs go on until they end or their timeout has passed. Throws 412. */
export function deleteRunner(
  context: Context,
  caller: Caller,
  runner: RunnerRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(runner, unmodifiedSince);
  context.store.transact((tx) => {
    recordRunnerEvent(tx, context, caller, runner, "ci_runner_unregistered");
    removeRunner(tx, context.store, runner.id);
  });
}

/** Forgets a machine that is not the runner's any more; one that is not known is forgotten already. */
export function deleteManager({ store }: Context, runner: RunnerRecord, systemId: string): void {
  const known = findManager(store, runner.id, systemId);
  if (known !== undefined) store.transact((tx) => tx.remove(runnerManagers, known.id));
}

function removeRunner(tx: Transaction, store: Store, id: number): void {
  for (const managerId of [...store.of(runnerManagers).by.runner_id.find(id)]) tx.remove(runnerManagers, managerId);
  tx.remove(runners, id);
}

/** A project's runners are deleted with it, except those that also serve others. */
export const projectRunnerRemoval = projectRemoval({
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    const documents = store.of(runners);
    const ids = [...documents.by.project_id.find(id)].slice(0, limit);
    for (const runnerId of ids) {
      const runner = documents.get(runnerId) as RunnerRecord;
      const project_ids = runner.project_ids.filter((projectId) => projectId !== id);
      if (project_ids.length === 0) removeRunner(tx, store, runnerId);
      else tx.update(runners, { ...runner, project_ids });
    }
    return ids.length;
  },
});

export const groupRunnerRemoval = groupRemoval({
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    const ids = [...store.of(runners).by.group_id.find(id)].slice(0, limit);
    for (const runnerId of ids) removeRunner(tx, store, runnerId);
    return ids.length;
  },
});

/** A machine that was not heard of for so long is none of the runner's any more. */
const staleMs = 7 * dayMs;
/** 03:30. */
const dailyAtMs = 3.5 * 60 * 60 * 1000;
const sliceLength = 100;

/** Short-lived machines with names of their own are stored for a week at most. */
export const staleManagers: CronJob = {
  name: "stale_runner_managers",
  schedule: { dailyAtMs },
  async run({ context: { store, clock }, pace }) {
    const latest = toDateTime(clock.now() - staleMs);
    for (;;) {
      const ids = firstOf(store.of(runnerManagers).by.contacted_at.between(undefined, latest), sliceLength);
      if (ids.length === 0) return;
      store.transact((tx) => {
        for (const id of ids) tx.remove(runnerManagers, id);
      });
      await pace();
    }
  },
};

function firstOf(ids: Iterable<number>, limit: number): number[] {
  const found: number[] = [];
  for (const id of ids) {
    found.push(id);
    if (found.length === limit) break;
  }
  return found;
}
