import { type TSchema, Type } from "@sinclair/typebox";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Seconds, and what people say for them. */
export const TimeStats = Type.Object(
  {
    time_estimate: Type.Integer(),
    total_time_spent: Type.Integer(),
    human_time_estimate: orNull(Type.String()),
    human_total_time_spent: orNull(Type.String()),
  },
  { $id: "TimeStats" },
);
