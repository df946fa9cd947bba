import { Type } from "@sinclair/typebox";

/** A named state to which the sandbox can be put back. */
export const CheckpointEntity = Type.Object(
  {
    name: Type.String(),
    position: Type.Integer({ description: "number of the last transaction that it has" }),
    created_at: Type.String({ format: "date-time" }),
    documents: Type.Integer({ description: "number of the documents that it has" }),
  },
  { $id: "Checkpoint" },
);

export const CheckpointParams = Type.Object({
  name: Type.String({
    pattern: "^[A-Za-z0-9._-]{1,64}$",
    maxLength: 64,
    description: "1 to 64 letters, digits, dots, underscores and hyphens",
  }),
});
