import { Type } from "@sinclair/typebox";
import { ok, operation } from "../../kernel/operation.ts";
import { presentClock } from "./present.ts";
import { ClockChange, ClockEntity, ClockParams } from "./schema.ts";
import { clockTime, sandboxOf, updateClock, workSecondsMax } from "./service.ts";

const ofSandbox = { root: true, who: "administrator_first", http: { partOf: "sandbox" } } as const;

/** sandbox 2 */
export const clockOperations = [
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/clock",
    summary: "Get the clock of the sandbox",
    params: Type.Object({}),
    answer: ok(ClockEntity),
    handle({ context }) {
      return presentClock(sandboxOf(context).clock);
    },
  }),
  operation({
    ...ofSandbox,
    method: "PUT",
    path: "/-/sandbox/clock",
    summary: "Set, advance, stop or speed up the clock of the sandbox",
    params: ClockParams,
    answer: ok(ClockChange),
    failures: ["timeout"],
    http: { ...ofSandbox.http, longPollSeconds: workSecondsMax },
    async handle({ context, params }) {
      const jobsRun = await updateClock(context, params);
      return { now: clockTime(context), jobs_run: jobsRun };
    },
  }),
];
