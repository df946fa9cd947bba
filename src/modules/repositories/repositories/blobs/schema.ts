import { Type } from "@sinclair/typebox";

/** commits 10, "blobs". */
export const Blob = Type.Object(
  { size: Type.Integer(), encoding: Type.Literal("base64"), content: Type.String(), sha: Type.String() },
  { $id: "Blob" },
);
