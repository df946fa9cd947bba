/** The job that moves a repository. */

import { theServer } from "../../../domain/caller.ts";
import type { RepositoryPlace } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, type JobRun, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { storageMoveEvents } from "./events.ts";
import { containerKinds } from "./kinds.ts";
import { type MovedKind, type MoveState, type StorageMoveRecord, storageMoves } from "./records.ts";

/** A step of a job: a move, and the state from which it continues. */
interface MoveStep {
  readonly kind: MovedKind;
  readonly move_id: number;
  readonly step: "scheduled" | "started" | "replicated";
  /** The place of the repository, and the target storage: the record may be deleted with its container. */
  readonly from: RepositoryPlace;
  readonly to: string;
}

/** A move that ends the process each time is given up before the scheduler does, which could not tidy up. */
const attemptsMax = 8;

/** Asks for the next step of a move, when it has stayed in its state as long as the setting says (storage-moves 1). */
export function enqueueMove(tx: Transaction, context: Context, payload: MoveStep): void {
  const due_at = toDateTime(context.clock.now() + context.storageMoves.delayMs);
  enqueueJob(tx, context, { kind: storageMove.kind, due_at, payload });
}

/**
 * One move (storage-moves 4). The repository is read-only by the state of its record. Each change of the state is one
 * transaction with the progress of the job, so that a move that was cut off goes on from there.
 */
export const storageMove: JobKind = jobKind<MoveStep>({
  kind: "storage_move",
  concurrency: 2,
  async run(run) {
    if (requeueAfterRestart(run)) return;
    let { step } = run.payload;
    if (step === "scheduled") {
      if (!begin(run)) return;
      step = "started";
    }
    if (step === "started" && !(await replicate(run))) return;
    await cleanUp(run);
  },
  gaveUp(tx, { context, job, payload }) {
    updateState(tx, context, payload, "failed", job.last_error);
  },
});

/** Queues the move again, with its whole delay, after a restart of the server. Returns whether that ended this job. */
function requeueAfterRestart({ context, job, payload, complete }: JobRun<MoveStep>): boolean {
  const { delayMs, startedAt } = context.storageMoves;
  if (delayMs === 0 || payload.step === "replicated" || job.created_at >= startedAt) return false;
  context.store.transact((tx) => {
    enqueueMove(tx, context, payload);
    complete(tx);
  });
  return true;
}

/** Whether to go on now. */
function begin({ context, payload, progress, complete }: JobRun<MoveStep>): boolean {
  const next: MoveStep = { ...payload, step: "started" };
  return context.store.transact((tx) => {
    const isDelayed = context.storageMoves.delayMs > 0;
    if (updateState(tx, context, payload, "started") === undefined) return false;
    if (isDelayed) {
      enqueueMove(tx, context, next);
      complete(tx);
    } else progress(tx, next);
    return !isDelayed;
  });
}

/** Copies and switches. Whether there is a source to clean up. */
async function replicate(run: JobRun<MoveStep>): Promise<boolean> {
  const { context, job, payload, signal, progress, complete } = run;
  const { kind, from, to } = payload;
  const isSame = from.storage === to;
  const container = moveOf(context, payload) && containerKinds[kind].find(context, from.id);
  if (container !== undefined && !isSame) {
    try {
      if (job.attempts > attemptsMax) throw new Error(job.last_error ?? "it was tried too often");
      await context.repositories.copy(from, to, container.isFilled, signal);
    } catch (error) {
      signal.throwIfAborted();
      fail(run, error);
      return false;
    }
  }
  const isSwitched = context.store.transact((tx) => {
    if (updateState(tx, context, payload, "replicated") === undefined) return false;
    containerKinds[kind].switch(tx, context, from.id, to, toDateTime(context.clock.now()));
    if (!isSame) progress(tx, { ...payload, step: "replicated" });
    else {
      updateState(tx, context, payload, "finished");
      complete(tx);
    }
    return true;
  });
  // The container was deleted meanwhile, and its record with it.
  if (!isSwitched) await context.repositories.dropCopy({ ...from, storage: to });
  return isSwitched && !isSame;
}

/** The source is untouched, and writable again with this. */
function fail({ context, payload, complete }: JobRun<MoveStep>, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.log.warn({ ...payload, error: reason }, "a repository could not be moved");
  context.store.transact((tx) => {
    updateState(tx, context, payload, "failed", reason);
    complete(tx);
  });
}

async function cleanUp({ context, payload, complete }: JobRun<MoveStep>): Promise<void> {
  const end = (state: MoveState, reason: string | null) =>
    context.store.transact((tx) => {
      updateState(tx, context, payload, state, reason);
      complete(tx);
    });
  // A switch that a crash could still undo must not have lost its source.
  await context.store.settled();
  try {
    await context.repositories.removeOld(payload.from);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.log.warn({ ...payload, error: reason }, "the source of a moved repository could not be removed");
    end("cleanup failed", reason);
    return;
  }
  end("finished", null);
}

function moveOf({ store }: Context, { kind, move_id }: MoveStep): StorageMoveRecord | undefined {
  return store.of(storageMoves[kind]).get(move_id);
}

/** undefined when the record is deleted with its container. */
function updateState(
  tx: Transaction,
  context: Context,
  step: MoveStep,
  state: MoveState,
  error_message: string | null = null,
): StorageMoveRecord | undefined {
  const move = moveOf(context, step);
  if (move === undefined) return undefined;
  const updated_at = toDateTime(context.clock.now());
  return updateRecord(tx, context, theServer, storageMoveEvents[step.kind], {
    ...move,
    state,
    error_message,
    updated_at,
  });
}
