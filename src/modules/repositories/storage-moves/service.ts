import { notFoundLowerCase } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Store } from "../../../store/index.ts";
import { type MovedKind, type StorageMoveRecord, storageMoves } from "./records.ts";

/** Newest first; those of one container when it is given. */
export function listMoves(
  store: Store,
  kind: MovedKind,
  containerId: number | undefined,
  page: PageRequest,
): Page<StorageMoveRecord> {
  const where = containerId === undefined ? [] : [{ index: "container", key: containerId } as const];
  return store.page(storageMoves[kind], { where, order: "id", descending: true, page });
}

/** Throws 404, for a move of another container too. */
export function getMove(store: Store, kind: MovedKind, id: number, containerId?: number): StorageMoveRecord {
  const move = store.of(storageMoves[kind]).get(id);
  if (move === undefined || (containerId !== undefined && move.container_id !== containerId)) throw notFoundLowerCase();
  return move;
}
