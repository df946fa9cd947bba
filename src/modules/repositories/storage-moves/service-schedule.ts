import { type Caller, theServer } from "../../../domain/caller.ts";
import { Failure, invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord } from "../../kernel/record-events.ts";
import { pickStorage } from "../repositories/index.ts";
import { storageMoveEvents } from "./events.ts";
import { enqueueMove } from "./job.ts";
import { type Container, type ContainerKind, containerKinds } from "./kinds.ts";
import { type MovedKind, type StorageMoveRecord, storageMoves } from "./records.ts";

/** Moves that one transaction schedules. */
const sliceMax = 100;

/**
 * Schedules the move of one container (storage-moves 2); without a destination its storage is drawn by weight. Throws 400
 * for an unknown storage, and while another move is under way.
 */
export function scheduleMove(
  context: Context,
  caller: Caller,
  kind: ContainerKind,
  container: Container,
  destination: string | null | undefined,
): StorageMoveRecord {
  if (destination && !context.repositories.storageNames.includes(destination)) {
    throw invalid({ destination_storage_name: ["is not included in the list"] });
  }
  return context.store.transact((tx) => scheduleIn(tx, context, caller, kind, container, destination));
}

/** Schedules a move in the transaction of another change. Throws 400 while another move is under way. */
export function scheduleIn(
  tx: Transaction,
  context: Context,
  caller: Caller,
  { kind, repository }: ContainerKind,
  { id, repository_storage }: Pick<Container, "id" | "repository_storage">,
  destination: string | null | undefined,
): StorageMoveRecord {
  const moves = storageMoves[kind];
  if (context.store.of(moves).by.under_way.find(id) !== undefined) throw invalid({ [kind]: ["is read-only"] });
  const now = toDateTime(context.clock.now());
  const move = insertRecord(tx, context, caller, storageMoveEvents[kind], {
    id: tx.nextId(moves.name),
    container_id: id,
    state: "scheduled",
    source_storage_name: repository_storage,
    destination_storage_name: destination || pickStorage(context),
    error_message: null,
    created_at: now,
    updated_at: now,
  });
  const from = { kind: repository, id, storage: repository_storage };
  const to = move.destination_storage_name;
  enqueueMove(tx, context, { kind, move_id: move.id, step: "scheduled", from, to });
  return move;
}

/** The rest of a schedule for all of a storage. */
interface Slice {
  readonly kind: MovedKind;
  readonly source: string;
  readonly destination: string | null;
  /** Containers up to this id are done with. */
  readonly after: number;
}

/**
 * Schedules moves of everything on a storage (storage-moves 2): of the first ones at once, of the rest by a job. Throws 400
 * for unknown storages.
 */
export function scheduleAll(
  context: Context,
  caller: Caller,
  { kind }: ContainerKind,
  source: string,
  destination: string | null | undefined,
): void {
  requireStorage(context, "source_storage_name", source);
  if (destination) requireStorage(context, "destination_storage_name", destination);
  context.store.transact((tx) => {
    const rest = scheduleSlice(tx, context, caller, { kind, source, destination: destination || null, after: 0 });
    if (rest !== undefined) enqueueJob(tx, context, { kind: scheduleRest.kind, payload: rest });
  });
}

export const scheduleRest: JobKind = jobKind<Slice>({
  kind: "storage_move_schedule",
  async run({ context, payload, pace, progress, complete }) {
    let slice: Slice | undefined = payload;
    while (slice !== undefined) {
      await pace();
      const current: Slice = slice;
      slice = context.store.transact((tx) => {
        const rest = scheduleSlice(tx, context, theServer, current);
        if (rest === undefined) complete(tx);
        else progress(tx, rest);
        return rest;
      });
    }
  },
});

/** Schedules the next moves, except of containers that are being moved already. undefined when none are left. */
function scheduleSlice(tx: Transaction, context: Context, caller: Caller, slice: Slice): Slice | undefined {
  const kind = containerKinds[slice.kind];
  const { under_way } = context.store.of(storageMoves[slice.kind]).by;
  const ids = kind.idsOn(context, slice.source, slice.after, sliceMax);
  for (const id of ids) {
    if (under_way.find(id) !== undefined) continue;
    scheduleIn(tx, context, caller, kind, { id, repository_storage: slice.source }, slice.destination);
  }
  const last = ids.at(-1);
  return last === undefined || ids.length < sliceMax ? undefined : { ...slice, after: last };
}

function requireStorage({ repositories }: Context, parameter: string, name: string): void {
  if (repositories.storageNames.includes(name)) return;
  throw new Failure("parameters", { error: `${parameter} does not have a valid value` });
}
