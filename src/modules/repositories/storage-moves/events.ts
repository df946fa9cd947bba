import { recordEvents } from "../../kernel/record-events.ts";
import { type MovedKind, type StorageMoveRecord, storageMoves } from "./records.ts";

const eventsOf = (kind: MovedKind) => recordEvents<StorageMoveRecord>(`${kind}-storage-move`, storageMoves[kind]);

/** Events about moves between storages: each state is an update. */
export const storageMoveEvents = {
  project: eventsOf("project"),
  snippet: eventsOf("snippet"),
  group: eventsOf("group"),
} as const satisfies Record<MovedKind, unknown>;
