import { Type } from "@sinclair/typebox";

/** The clock of the sandbox. */
export const ClockEntity = Type.Object(
  {
    now: Type.String({ format: "date-time", description: "time of the clock" }),
    frozen: Type.Boolean({ description: "whether the clock stands still" }),
    offset_ms: Type.Integer({ description: "milliseconds that the clock is ahead of the system's" }),
    rate: Type.Number({ description: "seconds of this clock in one second" }),
  },
  { $id: "SandboxClock" },
);

/** The effects of a change of the clock. */
export const ClockChange = Type.Object(
  {
    now: Type.String({ format: "date-time", description: "time of the clock" }),
    jobs_run: Type.Integer({ description: "number of jobs and periodic work that ran before the answer" }),
  },
  { $id: "SandboxClockChange" },
);

export const ClockParams = Type.Object({
  now: Type.Optional(Type.String({ format: "date-time", maxLength: 64, description: "time to set the clock to" })),
  advance: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "time to go on by: an ISO 8601 duration such as P1DT2H, or milliseconds",
    }),
  ),
  frozen: Type.Optional(Type.Boolean({ description: "whether the clock stands still" })),
  rate: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: "seconds of this clock in one second" }),
  ),
});
