import { Type } from "@sinclair/typebox";
import { integer, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import { moveStates } from "../repositories/index.ts";
import type { ContainerKind } from "./kinds.ts";

/** storage-moves 3. */
export function storageMoveSchema({ kind, schema }: ContainerKind) {
  return Type.Object(
    {
      id: Type.Integer(),
      created_at: Type.String({ format: "date-time" }),
      state: oneOf(moveStates),
      source_storage_name: Type.String(),
      destination_storage_name: Type.String(),
      [kind]: schema,
      error_message: Type.Union([Type.String(), Type.Null()]),
    },
    { $id: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}StorageMove` },
  );
}

/** A path parameter that is no number is 400, unlike most ids. */
export const moveId = () => integer({ description: "storage move id", saturate: true });

export const destination = () =>
  optional(nullable(text({ description: "a configured storage; by default drawn by weight" })));
export const source = () => text({ description: "a configured storage" });
