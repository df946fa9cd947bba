import type { Context } from "../../kernel/context.ts";
import type { StorageMoveRecord } from "../repositories/index.ts";
import type { ContainerKind } from "./kinds.ts";

/** storage-moves 3. */
export function presentMove(context: Context, kind: ContainerKind, move: StorageMoveRecord, baseUrl: string) {
  const { id, created_at, state, source_storage_name, destination_storage_name, error_message } = move;
  return {
    id,
    created_at,
    state,
    source_storage_name,
    destination_storage_name,
    [kind.kind]: kind.present(context, move.container_id, baseUrl),
    error_message,
  };
}
