import type { View } from "../../kernel/view.ts";
import type { ContainerKind } from "./kinds.ts";
import type { StorageMoveRecord } from "./records.ts";

/** storage-moves 3. */
export function presentMove(move: StorageMoveRecord, view: View, { kind }: { readonly kind: ContainerKind }) {
  const { id, created_at, state, source_storage_name, destination_storage_name, error_message } = move;
  return {
    id,
    created_at,
    state,
    source_storage_name,
    destination_storage_name,
    [kind.kind]: kind.present(move.container_id, view),
    error_message,
  };
}
