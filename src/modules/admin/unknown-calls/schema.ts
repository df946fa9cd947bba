import { Type } from "@sinclair/typebox";

const dateTime = (description: string) => Type.String({ format: "date-time", description });

/** Requests that no operation answers, of one method and path. */
export const UnknownCall = Type.Object(
  {
    method: Type.String(),
    path: Type.String({ description: "numbers and encoded paths as :id; what may be a token is left out" }),
    count: Type.Integer(),
    first_at: dateTime("since the start of the server"),
    last_at: dateTime("since the start of the server"),
  },
  { $id: "UnknownCall" },
);
