import { Type } from "@sinclair/typebox";
import { integer, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import type { ContainerKind } from "./kinds.ts";
import { moveStates } from "./records.ts";

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

const bytesOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

/** A storage with what is on it, and its disk. */
export const StorageUse = Type.Object(
  {
    name: Type.String(),
    projects: Type.Integer({ description: "projects whose repositories are on it" }),
    snippets: Type.Integer({ description: "snippets whose repositories are on it" }),
    groups: Type.Integer({ description: "groups whose wikis are on it" }),
    disk_bytes: bytesOrNull("size of its disk; null: the system does not say"),
    free_bytes: bytesOrNull("what its disk has left; null: the system does not say"),
  },
  { $id: "StorageUse" },
);
