import { Type } from "@sinclair/typebox";
import { idInPath, oneOf, optional } from "../../../domain/parameters.ts";
import { jobStates } from "./records.ts";

/** Work of the server's own that waits, runs or was given up. */
export const Job = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    state: oneOf(jobStates),
    due_at: Type.String({ format: "date-time" }),
    attempts: Type.Integer(),
    last_error: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
  },
  { $id: "BackgroundJob" },
);

export const ListJobs = Type.Object({ state: optional(oneOf(jobStates)) });

export const JobParams = Type.Object({ id: idInPath("number of the job") });
