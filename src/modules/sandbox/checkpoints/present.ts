import type { Static } from "@sinclair/typebox";
import type { Checkpoint } from "../../../store/index.ts";
import type { CheckpointEntity } from "./schema.ts";

export function presentCheckpoint({
  name,
  position,
  created_at,
  documents,
}: Checkpoint): Static<typeof CheckpointEntity> {
  return { name, position, created_at, documents };
}
